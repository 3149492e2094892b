/** Certificates are checked by the built program, whatever Node is told; test/network/tls.test.ts has all that a certificate can lack. */
import { expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll } from '../support/home.ts';
import { always, rawServer } from '../support/raw-server.ts';
import { guarded, users } from './guarded.ts';

const ours = authority('Factory Authority');
const expired = { from: new Date('2020-01-01'), until: new Date('2021-03-04') };
const server = madeForAll(() => rawServer(always(200, users), serverPair(ours, expired)));
const home = homeForAll();

it('a server with an expired certificate gets no request, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  const env = { IIOT_BASE_URL: server.origin, NODE_TLS_REJECT_UNAUTHORIZED: '0', SSL_CERT_FILE: '/dev/null' };
  const words = ['orgs', 'users', 'list', '--retries', '0', '--ca-file', home.file('ca.pem', ours.certificate)];
  expect(await guarded(words, { env })).toEqual({
    exit: 8,
    stdout: '',
    stderr: expect.stringContaining('has expired, on 2021-03-04'),
  });
  expect(server.requests).toEqual([]);
});
