import { expect, it } from 'vitest';
import type { Settings } from '../../src/command/settings.ts';
import { clientUse } from '../../src/command/settings.ts';

type Resolved = Settings['resolved'];
const option = { value: '/o.pem', from: '--client-cert' };
const variable = { value: '/v.key', from: 'IIOT_CLIENT_KEY' };
const stored = { value: '/p.pem', from: 'profile default' };
const base = { value: 'https://platform.test/path', from: '--base-url' };
const use = (resolved: Resolved, baseUrl?: string) =>
  clientUse({ resolved: { baseUrl: base, ...resolved }, stored: baseUrl === undefined ? {} : { baseUrl } });
const origin = 'https://platform.test';
const elsewhere = `belongs to ${origin}:8443 and is not sent to ${origin}`;
const http = { value: 'http://127.0.0.1:1', from: '--base-url' };

it.each<[string, Resolved, string | undefined, unknown]>([
  ['no settings', {}, undefined, undefined],
  ['an option', { clientCert: option }, 'https://other.test', { files: { cert: option }, origin }],
  [
    'a nearer key',
    { clientCert: stored, clientKey: variable },
    undefined,
    { files: { cert: stored, key: variable }, origin },
  ],
  [
    'an option beside a farther key',
    { clientCert: option, clientKey: variable },
    undefined,
    { files: { cert: option }, origin },
  ],
  ['a profile of the same platform', { clientCert: stored }, `${origin}:443`, { files: { cert: stored }, origin }],
  [
    'a profile of another platform',
    { clientCert: stored },
    `${origin}:8443`,
    { unused: `/p.pem (profile default) ${elsewhere}` },
  ],
  [
    'plain http',
    { clientCert: option, baseUrl: http },
    undefined,
    { unused: '/o.pem (--client-cert) is not used over plain http' },
  ],
])('the client certificate is chosen from %s', (_, resolved, baseUrl, expected) => {
  expect(use(resolved, baseUrl)).toEqual(expected);
});

it('a client key without a certificate is refused', () => {
  expect(() => use({ clientKey: variable })).toThrow(
    'There is a client key (/v.key, IIOT_CLIENT_KEY) without its certificate.',
  );
});
