import { describe, expect, it } from 'vitest';
import type { PlatformOptions } from '../../src/sandbox/platform.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { archiveLayout, createTranscript, type RecordedExchange } from '../../src/sandbox/transcript.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { createBrowser, faultsOf, infoOf, logIn, machineToken, root, startPlatform } from './browser.ts';

const opened = closedAfterEach();

/** The whole archive. */
function har(exchanges: readonly RecordedExchange[], version: string): string {
  const { begin, between, end, write } = archiveLayout(version);
  return begin + exchanges.map(write).join(between) + end;
}

function record(options: Partial<PlatformOptions> = {}) {
  const exchanges: RecordedExchange[] = [];
  const transcript = createTranscript((exchange) => exchanges.push(exchange));
  return { exchanges, transcript, browse: startPlatform({ ...options, observe: transcript.observe }).browse };
}

describe('a transcript', () => {
  it('has each request with its response in order, without values', async () => {
    const { exchanges, transcript } = record();
    const server = await opened(startServer({ users: 5, devices: 2, observe: transcript.observe }));
    const { access_token } = await machineToken(createBrowser(fetch, undefined, server.url));
    const browser = createBrowser(fetch, access_token, server.url);
    await browser.send('PUT', infoOf('press-0001'), { line: '2', password: 'x', apiKey: 'y' });
    await browser.get(`/api/v1/orgs/${root}/users?maxResultCount=1&name=okon`);
    await transcript.settled();
    expect(
      exchanges.map(({ request, answer }) => [request.method, new URL(request.url).pathname, answer?.status]),
    ).toEqual([
      ['POST', '/identity/connect/token', 200],
      ['PUT', infoOf('press-0001'), 204],
      ['GET', `/api/v1/orgs/${root}/users`, 200],
    ]);
    expect(exchanges[0]?.request.body?.text).toBe(
      'grant_type=client_credentials&client_id=sandbox-machine&client_secret=***',
    );
    expect(exchanges[0]?.answer?.body?.text).toBe('{"access_token":"***","token_type":"Bearer"}');
    expect(exchanges[1]?.request.body?.text).toBe('{"line":"*** (string, 1)","password":"***","apiKey":"***"}');
    expect(exchanges[1]?.answer?.body).toBe(null);
    expect(Object.fromEntries(exchanges[1]?.request.headers ?? []).authorization).toBe('***');
    expect(exchanges[2]?.request.url).toBe(`${server.url}/api/v1/orgs/${root}/users?maxResultCount=1&name=okon`);
  });

  it('contains no secret of a login', async () => {
    const { exchanges, transcript, browse } = record();
    const browser = browse();
    const { accessToken, refreshToken } = await logIn(browser);
    await browse(accessToken).get(`/api/v1/orgs/${root}/users?access_token=${accessToken}`);
    await browse().send('POST', '/factory/console/api/v1/auth/tokens?grant_type=refresh_token', { refreshToken });
    await transcript.settled();
    const text = JSON.stringify(exchanges) + har(exchanges, '0');
    const secrets = ['correct horse', accessToken, refreshToken, ...browser.cookies.values()];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(exchanges).toHaveLength(7);
  });

  it('has only the size of an HTML page', async () => {
    const { exchanges, transcript, browse } = record();
    await browse().get('/identity/account/login');
    await transcript.settled();
    expect(exchanges[0]?.answer?.body).toEqual({ type: 'text/html; charset=utf-8', size: expect.any(Number) });
  });

  it('has no response for a cut connection', async () => {
    const { exchanges, transcript, browse } = record({ faults: faultsOf('**=reset') });
    await browse()
      .get('/x')
      .catch(() => 'cut');
    await transcript.settled();
    expect(exchanges[0]?.answer).toBe(null);
    expect(JSON.parse(har(exchanges, '0'))).toMatchObject({ log: { entries: [{ response: { status: 0 } }] } });
  });

  it('can be written as an HTTP Archive', async () => {
    const { exchanges, transcript, browse } = record();
    await browse().send('PUT', `${infoOf('press-0001')}?a=b`, { line: '2' });
    await transcript.settled();
    const { log } = JSON.parse(har(exchanges, '1.2.3')) as { log: { entries: Record<string, unknown>[] } };
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'iiot sandbox', version: '1.2.3' } });
    expect(log.entries).toHaveLength(1);
    expect(log.entries[0]).toMatchObject({
      startedDateTime: '2026-01-15T08:00:00.000Z',
      request: {
        method: 'PUT',
        queryString: [{ name: 'a', value: '***' }],
        postData: { mimeType: 'application/json', text: '{"line":"*** (string, 1)"}' },
      },
      response: { status: 401, content: { mimeType: 'application/json; charset=utf-8' } },
    });
  });
});
