import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRequests, readExpectations, type SeenRequest, seenRequestOf } from '../../src/sandbox/expectations.ts';
import { machineToken, orThrow, startPlatform } from './browser.ts';

const expectations = (text: string) => orThrow(readExpectations(text));

/** "PUT /a 204" a line. */
function made(text: string): SeenRequest[] {
  return text.split('\n').map((line) => {
    const [method = '', path = '', outcome] = line.trim().split(' ');
    return { method, path, outcome: Number(outcome) };
  });
}

describe('a list of expected requests', () => {
  it('is read without comments and empty lines', () => {
    const text = '# the night shift\r\n\r\nPUT /platform/** 204\r\n  GET /api/*/orgs  \n';
    expect(expectations(text).map(({ text, method, status }) => [text, method, status])).toEqual([
      ['PUT /platform/** 204', 'PUT', 204],
      ['GET /api/*/orgs', 'GET', undefined],
    ]);
  });

  it.each(['put /a', 'PUT a', 'PUT', '/a 204', 'PUT /a 20', 'PUT /a 204 more'])(
    'is refused with the line "%s"',
    (line) => {
      expect(readExpectations(`GET /x\n${line}`)).toBe(
        'Line 2 is not METHOD PATH-GLOB [STATUS], "PUT /platform/** 204" for example.',
      );
    },
  );
});

describe('the comparison with expected requests', () => {
  it('finds no difference if all requests are as expected', async () => {
    const list = expectations('PUT /devices/*/info 204\nGET /users');
    expect(await compareRequests(list, made('PUT /devices/a/info 204\nGET /users 200'))).toEqual([]);
  });

  it('reports missing and unexpected requests', async () => {
    const list = expectations('GET /a\nPUT /b 204\nGET /c');
    expect(await compareRequests(list, made('GET /a 200\nPUT /b 404\nGET /c 200\nDELETE /d 204'))).toEqual([
      { kind: 'missing', request: 'PUT /b 204' },
      { kind: 'unexpected', request: 'PUT /b 404' },
      { kind: 'unexpected', request: 'DELETE /d 204' },
    ]);
  });

  it('reports requests in another order', async () => {
    const differences = await compareRequests(expectations('GET /a\nGET /b'), made('GET /b 200\nGET /a 200'));
    expect(differences).toHaveLength(2);
  });

  it('ignores requests of the login unless the list has one', async () => {
    const all = made('POST /identity/connect/token 200\nGET /factory/portal/external-login 302\nGET /a 200');
    expect(await compareRequests(expectations('GET /a'), all)).toEqual([]);
    expect(await compareRequests(expectations('POST /identity/** 200\nGET /a'), all)).toEqual([
      { kind: 'unexpected', request: 'GET /factory/portal/external-login 302' },
    ]);
  });

  it('accepts the requests that a platform has observed', async () => {
    const seen: SeenRequest[] = [];
    const { browse } = startPlatform({ observe: (observed) => seen.push(seenRequestOf(observed)) });
    await browse().get('/nowhere?a=b');
    await machineToken(browse());
    expect(seen).toEqual([
      { method: 'GET', path: '/nowhere', outcome: 404 },
      { method: 'POST', path: '/identity/connect/token', outcome: 200 },
    ]);
  });

  it('reports a thousand of more than two thousand differences', async () => {
    const all = made(`GET /a 200\n${'GET /b 200\n'.repeat(2001).trimEnd()}`);
    expect(await compareRequests(expectations('GET /a'), all)).toHaveLength(1000);
  });

  it('reports a request that is listed twice and sent once', async () => {
    const list = expectations('GET /a\nGET /a');
    expect(await compareRequests(list, made('GET /a 200'))).toEqual([{ kind: 'missing', request: 'GET /a' }]);
  });

  it('finds exactly the request that is removed from the list', async () => {
    const requests = fc.array(fc.constantFrom('GET /a 200', 'GET /b 200', 'PUT /a 204'), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(requests, fc.nat(), async (lines, place) => {
        const all = made(lines.join('\n'));
        expect(await compareRequests(expectations(lines.join('\n')), all)).toEqual([]);
        const fewer = lines.toSpliced(place % lines.length, 1);
        expect(await compareRequests(expectations(fewer.join('\n')), all)).toEqual([
          { kind: 'unexpected', request: expect.any(String) },
        ]);
      }),
    );
  });
});
