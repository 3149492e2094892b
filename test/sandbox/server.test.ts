import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/sandbox/server.ts';
import { createTranscript, type RecordedExchange } from '../../src/sandbox/transcript.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { lacks } from '../support/lacking.ts';
import { until } from '../support/waiting.ts';
import { createBrowser, faultsOf, infoOf, machineToken, root } from './browser.ts';

const opened = closedAfterEach();
const start = (options: ServerOptions = {}) => opened(startServer({ users: 50, devices: 20, ...options }));

const browserOf = ({ url }: RunningServer, token?: string) => createBrowser(fetch, token, url);
/** A server, and the token of its machine. */
async function startWithToken(options?: ServerOptions) {
  const running = await start(options);
  const { access_token } = await machineToken(browserOf(running));
  return { running, token: access_token, infoNow: () => running.platform.world.devices.get('press-0001')?.customInfo };
}
const users = `/api/v1/orgs/${root}/users`;
const press = infoOf('press-0001');

/** A change of a device, as it is on the wire. */
const put = (path: string, token: string, length: string, body: string) =>
  `PUT ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${length}\r\n\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked';

/** Sends bytes as they are, and gives what came until the connection ended or the text was there. */
function raw(port: number, text: string, until = '\r\n\r\n'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      if (received.includes(until)) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('the server of a sandbox', () => {
  it('listens on a free port of 127.0.0.1 by default', async () => {
    const { url, port } = await start();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    await expect(startServer({ port, users: 1, devices: 1 })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  const answered = '200';
  it.each([
    ['an unknown name', {}, 'sandbox:8080', '421'],
    ['an address', {}, '10.0.0.7:8080', '421'],
    ['an address where others may call', { host: '0.0.0.0' }, '10.0.0.7:8080', answered],
    ['an address of IPv6 where others may call', { host: '0.0.0.0' }, '[fe80::7]:8080', answered],
    ['localhost where others may call', { host: '0.0.0.0' }, 'localhost', answered],
    ['a name where others may call', { host: '0.0.0.0' }, 'sandbox:8080', '421'],
    ['a name that is allowed', { host: '0.0.0.0', names: ['sandbox'] }, 'SANDBOX:8080', answered],
    ['a name below one that is allowed', { host: '0.0.0.0', names: ['sandbox'] }, 'evil.sandbox', '421'],
    ['a name that is allowed on loopback', { names: ['sandbox'] }, 'sandbox', answered],
    ['an address on loopback, with a name allowed', { names: ['sandbox'] }, '10.0.0.7', '421'],
    ['a name that looks like an address', { host: '0.0.0.0' }, '10.0.0.7.evil.example', '421'],
  ])('answers only permitted host names: %s', async (_, place, host, status) => {
    const { port } = await start({ place });
    const answer = await raw(port, `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(answer.slice(9, 12)).toBe(status);
  });

  it.skipIf(lacks('IPv6'))('can be reached at an IPv6 address', async () => {
    const { url, port } = await start({ place: { host: '::' } });
    expect(url).toBe(`http://[::1]:${port}`);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  });

  it('keeps percent-encoding in paths', async () => {
    const { running, token } = await startWithToken();
    const answers = [];
    for (const id of ['Hall%203%2FPress%207', 'a%252Fb', 'a%2Fb', '100%25', '..%2f', '%zz']) {
      const text = put(press.replace('press-0001', id), token, 'Content-Length: 9', '{"a":"b"}');
      answers.push((await raw(running.port, text)).slice(9, 12));
    }
    expect(answers).toEqual(['204', '204', '404', '204', '404', '404']);
  });

  it('reads a chunked body', async () => {
    const { running, token, infoNow } = await startWithToken();
    const answer = await raw(running.port, put(press, token, chunked, '5\r\n{"a":\r\n4\r\n"b"}\r\n0\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    expect(infoNow()?.get('a')).toBe('b');
  });

  it('survives clients that disconnect in the middle of a body', async () => {
    const seen: RecordedExchange[] = [];
    const told: unknown[] = [];
    const transcript = createTranscript((exchange) => seen.push(exchange));
    const { running, token, infoNow } = await startWithToken({
      observe: transcript.observe,
      onError: (error) => told.push(error),
    });
    for (const each of [token, 'none']) {
      const socket = connect(running.port, '127.0.0.1');
      socket.write(put(press, each, 'Content-Length: 100', '{"a":'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
    }
    await until('both are told of', () => told.length === 2);
    expect((await browserOf(running, token).get(users)).status).toBe(200);
    await transcript.settled();
    expect(infoNow()?.has('a')).toBe(false);
    expect([seen.map(({ answer }) => answer?.status), told.length]).toEqual([[200, 200], 2]);
  });

  it.each([
    ['without a transcript', {}],
    ['with a transcript', { observe: () => {} }],
  ])('answers 413 to a chunked body as soon as it is too large, %s', async (_, options) => {
    const { running, token } = await startWithToken(options);
    const chunk = `100000\r\n${' '.repeat(1024 * 1024)}\r\n`;
    const answer = await raw(running.port, put(press, token, chunked, chunk.repeat(29)));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await browserOf(running, token).get(users)).status).toBe(200);
  });

  it('answers 413 to a Content-Length that is too large', async () => {
    const { running, token } = await startWithToken();
    const answer = await raw(running.port, put(press, token, 'Content-Length: 30000000', '{'));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('sends a request ID, the correlation ID and the time of its clock', async () => {
    const running = await start({ now: () => Date.UTC(2030, 4, 1) });
    const answer = await browserOf(running).get(users, { 'x-correlation-id': 'run-7' });
    const { headers } = answer;
    expect([headers.get('x-request-id'), headers.get('x-correlation-id'), headers.get('date')]).toEqual([
      'request-000001',
      'run-7',
      'Wed, 01 May 2030 00:00:00 GMT',
    ]);
  });

  it.each([
    ['GET', '/nowhere', 404, null],
    ['GET', '/api/v1/orgs//users', 404, null],
    ['GET', `${users}/`, 404, null],
    ['POST', users, 405, 'GET'],
    ['PUT', '/api/v1/oauth2/client-credentials', 405, 'POST, GET'],
    ['GET', '/signin-oidc', 405, 'POST'],
    ['OPTIONS', users, 405, 'GET'],
  ])('answers %s %s with %i', async (method, path, status, allow) => {
    const answer = await fetch((await start()).url + path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
    expect(await answer.json()).toMatchObject({ error: { message: expect.any(String) } });
  });

  it('answers HEAD like GET, without a body', async () => {
    const { running, token } = await startWithToken();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(running.url + users, { method: 'HEAD', headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('a fault rule of a server', () => {
  it.each([
    ['before the change for reset', 'reset', undefined],
    ['after the change for reset-after', 'reset-after', 'b'],
  ])('cuts the connection %s', async (_, fault, stored) => {
    const { running, token, infoNow } = await startWithToken({ faults: faultsOf(`PUT /platform/**=${fault}`) });
    await expect(browserOf(running, token).send('PUT', press, { a: 'b' })).rejects.toThrow('fetch failed');
    expect([infoNow()?.get('a'), running.platform.log.latest[0]?.outcome]).toEqual([stored, 'reset']);
  });

  it('keeps the connection silent for hang, until the server closes', async () => {
    const running = await start({ faults: faultsOf('GET /api/**=hang') });
    const silent = fetch(running.url + users).catch(() => 'cut');
    const first = await Promise.race([silent, new Promise((resolve) => setTimeout(resolve, 100, 'silent'))]);
    expect(first).toBe('silent');
    await running.close();
    expect(await silent).toBe('cut');
  });
});

describe('closing a server', () => {
  it('ends open connections at once, and frees the port', async () => {
    const running = await start();
    await browserOf(running).get(users);
    const idle = connect(running.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const gone = new Promise((resolve) => idle.once('close', resolve));
    await running.close();
    await gone;
    expect((await start({ port: running.port })).port).toBe(running.port);
  });

  it('can be done twice', async () => {
    const running = await start();
    await Promise.all([running.close(), running.close()]);
  });
});
