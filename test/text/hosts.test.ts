import { describe, expect, it } from 'vitest';
import { destinationsIn, jsonWithHosts, withoutUsers } from '../../src/text/hosts.ts';

/** What is shown for a value under a name whose values are hidden. */
const shown = (webhookUrl: unknown) => JSON.parse(jsonWithHosts(JSON.stringify({ webhookUrl }))).webhookUrl;

describe('a value hidden by the name of its field', () => {
  it.each([
    ['https://evil.example/hook?key=CANARY', 'https://evil.example/***'],
    ['https://evil.example:8443/CANARY', 'https://evil.example:8443/***'],
    ['https://CANARY:CANARY@evil.example/', 'https://evil.example/***'],
    ['HTTPS://EVIL.example', 'https://evil.example/***'],
    ['smtp://CANARY@mail.example:587', 'smtp://mail.example:587/***'],
    ['https:evil.example/CANARY', 'https://evil.example/***'],
    ['https:\\\\evil.example\\CANARY', 'https://evil.example/***'],
    ['https://good.example\\@evil.example/', 'https://good.example/*** https://evil.example/***'],
    ['https://good.example\\CANARY\\@evil.example/', 'https://good.example/*** https://evil.example/***'],
    ['CANARY\\CANARY@CANARY', '***'],
    ['https://good.example;@evil.example/', 'https://good.example/*** https://evil.example/***'],
    ['https://good.example @evil.example/', 'https://good.example/*** https://evil.example/***'],
    ['https://good.example\\@evil.example/@good.example', 'https://good.example/*** https://evil.example/***'],
    ['https://good.example\n@evil.example/', 'https://good.example/*** https://evil.example/***'],
    ['https://good.example\t.evil.example/', 'https://good.example/*** https://good.example.evil.example/***'],
    ['https:/\t/evil.example/', 'https://evil.example/***'],
    ['https://a.example/CANARY@CANARY/b', 'https://a.example/***'],
    ['https://CANARY:CAN@RY@a.example/b', 'https://a.example/***'],
    ['https://good.example/?to=https://evil.example/CANARY', 'https://good.example/*** https://evil.example/***'],
    ['https://\u0430pple.example/', 'https://xn--pple-43d.example/***'],
    ['https://[::1]:99/CANARY', 'https://[::1]:99/***'],
    ['https://evil.example:99999/CANARY', 'https://evil.example/***'],
    ['evil.example:8080/CANARY', 'evil.example:8080/***'],
    ['//CANARY@evil.example/CANARY', 'evil.example/***'],
    ['mailto:CANARY@evil.example', 'mailto:evil.example/***'],
    ['HostName=hub.example;SharedAccessKey=CANARY', 'hub.example/***'],
    ['Server=tcp:db.example,1433;Password=CANARY', 'db.example/***'],
    [{ a: ['https://a.example/CANARY', { b: 'wss://b.example' }] }, 'https://a.example/*** wss://b.example/***'],
    ['CANARY', '***'],
    [7, '***'],
    [['CANARY', 7, null], '***'],
  ])('%j is shown as %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });

  it('is hidden at any depth, and no other value is', () => {
    const value = { a: [{ name: 'Hall 3', password: 'CANARY', url: 'https://a.example/b' }], enabled: true, n: null };
    expect(JSON.parse(jsonWithHosts(JSON.stringify(value)))).toEqual({
      ...value,
      a: [{ ...value.a[0], password: '***' }],
    });
  });
});

it('a URL in a command line is shown without its user', () => {
  expect(withoutUsers(`'{"url":"https://me:CANARY@a.example/b@c","to":"me@b.example"}'`)).toBe(
    `'{"url":"https://***@a.example/b@c","to":"me@b.example"}'`,
  );
});

it('the destinations of a channel are its hosts and recipients, without secrets', () => {
  const config = new Map<string, unknown>([
    ['url', 'https://a.example/CANARY'],
    ['tokens', ['CANARY']],
    ['smtpServer', 'CANARY@mail.example'],
    ['headers', { Authorization: 'CANARY', 'X-Next': 'https://a.example/CANARY' }],
    ['recipients', ['ops@b.example', 'U1234']],
    ['name', 'Hall 3'],
    ['port', 587],
  ]);
  expect(destinationsIn(config)).toEqual(['https://a.example', 'mail.example', 'ops@b.example', 'U1234']);
});
