import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, inBrief, worked } from '../support/seen.ts';
import { wordsOf } from '../support/words.ts';
import { type Given, refused } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const users = `/api/v1/orgs/${root}/users`;
const info = '/platform/solutions/api/v1/devices/press-0001/custom-info';
const someone = personForEach();
const newPerson = personsForEach();

const api = (words: readonly string[], given?: Given) => someone.iiot(['api', ...words], given);

describe('iiot api', () => {
  it('prints the response to a GET', async () => {
    const { exit, stdout, stderr } = await api(['get', `${users}?maxResultCount=1`, '-o', 'json']);
    expect([exit, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      totalCount: 2000,
      items: [{ userId: 'ada', name: 'Ada Okonkwo', orgRole: 'admin', email: 'ada@factory.example' }],
    });
  });

  it.each([
    [[users], `GET ${users}`, undefined],
    [['/api/v1/orgs/{orgId}/users'], `GET ${users}`, undefined],
    [['/api/v1/orgs/{orgId}/users', '--org', 'a b'], 'GET /api/v1/orgs/a%20b/users', undefined],
    [['-X', 'put', info, '-f', 'a=1', '-F', 'b=null'], `PUT ${info}`, '{"a":"1","b":null}'],
    [[info, '--method', 'PUT', '-H', 'X-Line: 3', '-f', 'a=1'], `PUT ${info}`, '{"a":"1"}'],
    [['/api/v1/%7Borg%7D/{orgId}?filter={a}'], `GET /api/v1/%7Borg%7D/${root}?filter=%7Ba%7D`, undefined],
    [
      [`${users}?name=a%20b`, '--query-param', 'tags=a,b', '--query-param', 'tags=c=d&e'],
      `GET ${users}?name=a%20b&tags=a%2Cb&tags=c%3Dd%26e`,
      undefined,
    ],
    [[`http://127.0.0.1:1${users}`], `GET ${users}`, undefined],
    [[users.slice(1)], `GET ${users}`, undefined],
    [['GET', '/a/../b'], 'GET /b', undefined],
    [['/a%2F..%2Fb'], 'GET /a%2F..%2Fb', undefined],
    [['@evil.example/x'], 'GET /@evil.example/x', undefined],
  ])('sends %j as %s', async (words, request, body) => {
    await api(words);
    expect(someone.sent).toEqual([{ request, body }]);
  });

  it.each([
    'https://ada:pass/word@other.example/x',
    '//ada:pass#word@other.example',
    'https://ada:a@b/c@other.example',
  ])('refuses the address %s, and hides its password', async (word) => {
    const { exit, stderr } = await api([word]);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      expect.stringMatching(/^error: (https:)?\/\/\*\*\*@other\.example(\/x)? is not on /),
    ]);
  });

  it.each(['{orgid}', '{ orgId }', '{}'])('refuses the placeholder %s in a path', async (word) => {
    const sentence = `${word} in the path is not filled in: only {orgId} is.`;
    const hint = 'Write the value itself; for a brace in the path write %7B or %7D';
    expect(await api([`/api/v1/orgs/${word}/users?filter={a}`])).toEqual(refused(sentence, hint));
    expect(someone.requests).toEqual([]);
  });

  it.each([
    [['--org', '..'], {}, '--org'],
    [['--org', '.'], {}, '--org'],
    [[], { IIOT_ORG: '..' }, 'IIOT_ORG'],
  ])('refuses an organization that would change the path: %j %j', async (words, env, name) => {
    const { exit, stderr } = await api(['DELETE', '/api/v1/orgs/{orgId}/users', '--yes', ...words], { env });
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `error: ${name} cannot be a dot segment: URLs resolve it away.`]);
    expect(someone.requests).toEqual([]);
  });

  it('refuses . and .. as organizations of iiot each', async () => {
    const { exit } = await someone.iiot(wordsOf('each --orgs ..,. --yes -- api DELETE /api/v1/orgs/{orgId}/users'));
    expect([exit, someone.sent]).toEqual([2, []]);
  });

  it.each([
    [['/x', '-H', 'X-HTTP-Method-Override: DELETE']],
    [['/x', '-H', 'X-Method: DELETE']],
    [['/x', '-H', 'x_http-method: DELETE']],
    [['/x?_method=DELETE']],
    [['/x', '--query-param', '_method=DELETE']],
  ])('refuses a GET that carries another method with --read-only: %j', async (words) => {
    const { exit, stderr } = await api(['GET', ...words, '--read-only']);
    expect([exit, stderr]).toEqual([4, expect.stringMatching(/^error: A GET with \S*method\S* changes the platform/i)]);
    expect(someone.requests).toEqual([]);
    await api(['GET', ...words]);
    expect(someone.sent).toHaveLength(1);
  });

  it.each([
    [['/api/v1/nowhere'], 404],
    [['-X', 'DELETE', users], 405],
    [['PUT', '/nowhere', '-f', 'a=1'], 404],
    [['/api/v1/nowhere', '--all'], 404],
  ])('hints at the interface if the platform answers %j with %i', async (words, status) => {
    const { iiot } = newPerson({ fetch: respondingWith(status) });
    const message = status === 404 ? 'The platform could not find it.' : 'The platform does not offer this operation.';
    const hint = 'hint: See the paths and methods of the interface: iiot api --openapi';
    expect(await inBrief(iiot(['api', ...words]), 2)).toEqual(
      failed(status === 404 ? 5 : 7, `error: ${message}`, hint),
    );
  });

  const other = '99999999-9999-4999-8999-999999999999';
  it.each([
    [['/api/v1/oauth2/client-credentials', '--org', other], '--org has no effect: the path has no {orgId}.'],
    [[users, '--org', other], `--org names ${other}, but the path names ${root}.`],
  ])('refuses an --org that does not fit the path: %j', async (words, message) => {
    const { exit, stderr } = await api(words);
    expect([exit, stderr.split('\n')[0], someone.requests]).toEqual([2, `error: ${message}`, []]);
    expect((await api([users, '--org', ` {${root.toUpperCase()}}`])).exit).toBe(0);
    expect((await api(words.slice(0, 1), { env: { IIOT_ORG: other } })).exit).toBe(0);
  });

  it('prints JSON in a pipe, unless another format is chosen', async () => {
    const path = `${users}?maxResultCount=1`;
    const { stdout } = await api([path]);
    expect(stdout).toBe((await api([path, '-o', 'json'])).stdout);
    expect(stdout).toMatch(/^\{\n {2}"totalCount": 2000,\n/);
    expect((await api([path, '-o', 'table'])).stdout).not.toMatch(/^\{/);
    expect((await api([path], { env: { IIOT_OUTPUT: 'table' } })).stdout).not.toMatch(/^\{/);
    expect(JSON.parse((await api([users, '--all'])).stdout)).toHaveLength(2000);
  });

  it.each([
    [['--raw-field', 'a=1', '--raw-field', 'b='], '{"a":"1","b":""}'],
    [['--field', 'a=1', '--field', 'b={"10":1,"2":[null]}'], '{"a":1,"b":{"10":1,"2":[null]}}'],
    [['--raw-field', '__proto__=x', '--raw-field', '10=y', '--raw-field', '2=z'], '{"__proto__":"x","10":"y","2":"z"}'],
    [['-F', 'isEnabled=false', '-F', 'name=Line 3', '-F', 'b={'], '{"isEnabled":false,"name":"Line 3","b":"{"}'],
    [['--field', 'n=12345678901234567890'], '{"n":12345678901234567890}'],
  ])('builds a JSON body from %j', async (words, body) => {
    await api(['PUT', info, ...words]);
    expect(someone.sent).toEqual([{ request: `PUT ${info}`, body }]);
  });

  it('sends the file of --body-file byte for byte', async () => {
    await api(['PUT', info, '--body-file', '-'], { stdin: '{ "a": "1",\r\n  "b": null }\n' });
    const csv = someone.file('x.csv', 'a,b\r\n1,2\r\n');
    await api(['POST', '/x', '--header', 'Content-Type: text/csv', '--body-file', csv]);
    expect(someone.sent.map(({ body }) => body)).toEqual(['{ "a": "1",\r\n  "b": null }\n', 'a,b\r\n1,2\r\n']);
  });

  describe('with a response that is not JSON', () => {
    const zip = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x00, 0xff, 0xfe, 0x0a]);
    const answering = (status: number, type: string, body: string | Uint8Array) =>
      newPerson({ fetch: respondingWith(status, body, type === '' ? {} : { 'content-type': type }) });
    const get = ['api', '/api/v1/export'];

    it.each([
      ['a CSV file', 200, 'text/csv; charset=utf-8', '\ufeffa,b\r\n1,"2"\r\n'],
      ['lines of JSON', 200, 'application/x-ndjson', '{"a":1}\n{"a":2}\n'],
      ['one line of JSON', 200, 'application/x-ndjson', '{"a":1}\n'],
      ['a document of XML', 200, 'application/xml', '<a>1</a>'],
      ['part of a file', 206, 'application/json', '{"items":[{"us'],
      ['a text with braces', 200, 'application/rtf', '{\\rtf1 "a"}'],
    ])('prints %s unchanged', async (_, status, type, body) => {
      const { iiot } = answering(status, type, body);
      expect(await iiot(get)).toEqual(worked(body));
      expect(await iiot(['api', 'POST', '/api/v1/export'])).toEqual(worked(body));
    });

    it('escapes control characters at a terminal, and ends the last line', async () => {
      const { iiot } = answering(200, 'text/csv', 'a,b\n\u001b]0;x,2');
      expect((await iiot(get, { columns: 80 })).stdout).toBe('a,b\n\\u{1b}]0;x,2\n');
    });

    it.each(['-o json', '--json', '--jq .|tojson'])('prints a text as a JSON string with %s', async (line) => {
      const { iiot } = answering(200, 'text/csv', 'a,b\n1,2\n');
      expect((await iiot([...get, ...line.split(' ')])).stdout).toBe('"a,b\\n1,2\\n"\n');
    });

    it('decodes a text by its charset, and saves its bytes unchanged', async () => {
      const latin = Buffer.from('a\nZ\u00fcrich\n', 'latin1');
      const { iiot, folder } = answering(200, 'text/csv; charset=ISO-8859-1', latin);
      expect((await iiot([...get, '--json'])).stdout).toBe('"a\\nZ\u00fcrich\\n"\n');
      expect((await iiot(get, { columns: 80 })).stdout).toBe('a\nZ\u00fcrich\n');
      await iiot([...get, '--output-file', join(folder, 'out')]);
      expect(readFileSync(join(folder, 'out'))).toEqual(latin);
    });

    it('unpacks a whole response, but requests a part without compression', async () => {
      const asked: (string | undefined)[] = [];
      const headers = { 'content-type': 'application/zip', 'content-encoding': 'gzip' };
      const packed = respondingWith(200, gzipSync(zip), headers);
      const { iiot, folder } = newPerson({
        fetch: (url, init) => {
          if (url.endsWith('/export')) asked.push(init.headers['accept-encoding']);
          return packed(url, init);
        },
      });
      await iiot([...get, '--output-file', join(folder, 'out')]);
      expect(readFileSync(join(folder, 'out'))).toEqual(zip);
      await iiot([...get, '-H', 'Range: bytes=0-3', '-o', 'json']);
      expect(asked).toEqual([expect.stringContaining('gzip'), 'identity']);
    });

    it('reads JSON of any content type, or of none', async () => {
      for (const type of ['application/vnd.plant', 'application/octet-stream', '']) {
        const { iiot } = answering(200, type, Buffer.from('{"items":[1]}'));
        expect([type, (await iiot([...get, '--jq', '.items[0]'])).stdout]).toEqual([type, '1\n']);
      }
    });

    it.each([
      ['at a terminal', [], { columns: 200 }, 'shown at a terminal'],
      ['with -o json', ['-o', 'table'], {}, 'formatted'],
      ['with --jq', ['--jq', '.'], {}, 'formatted'],
    ])('refuses to print a binary response %s', async (_, words, given, what) => {
      const { iiot } = answering(200, 'application/zip', zip);
      const sentence = `error: The response (200, application/zip) is binary, and cannot be ${what}.`;
      const hint = ['hint: Save it with --output-file FILE', 'HTTP 200'];
      expect(await iiot([...get, ...words], given)).toEqual(failed(8, sentence, ...hint));
      const made = ' The change itself was made (POST /api/v1/export).';
      const post = ['api', 'POST', '/api/v1/export', ...words];
      expect(await iiot(post, given)).toEqual(failed(8, sentence + made, ...hint));
    });

    it.each([
      ['application/zip', zip],
      ['application/json', Buffer.from('{ "a": 1.0 }\n')],
      ['', Buffer.from([0xff, 0xd8, 0xff])],
    ])('saves a response of type "%s" unchanged in a private file', async (type, body) => {
      const { iiot, folder } = answering(200, type, body);
      const path = join(folder, 'out file');
      expect(await iiot([...get, '--output-file', path])).toEqual(worked('', `Wrote ${body.length} bytes to ${path}`));
      expect([readFileSync(path), (statSync(path).mode & 0o777).toString(8)]).toEqual([body, '600']);
      const json = await iiot([...get, '-o', 'json', '--output-file', `${path} 2`]);
      const saved = { method: 'GET', path: '/api/v1/export', status: 200, file: `${path} 2`, bytes: body.length };
      expect(JSON.parse(json.stdout)).toEqual(saved);
    });

    const noPath = '--output-file takes the path of a file.';
    it.each([
      [['--output-file', ''], 2, noPath],
      [['--output-file', '-'], 2, noPath],
      [['--output-file', 'there'], 2, '--output-file there already exists and is not overwritten.'],
      [['--output-file', 'no/file'], 1, 'Could not'],
      [['--output-file', 'new', '--all'], 2, '--output-file takes one response, but --all makes a list of many.'],
    ])('sends nothing if the file cannot be written: %j', async (words, code, message) => {
      const { iiot, folder, requests } = answering(200, 'application/zip', zip);
      const placed = words.map((word) => (/^(there|no|new)/.test(word) ? join(folder, word) : word));
      writeFileSync(join(folder, 'there'), 'precious');
      const { exit, stderr } = await iiot([...get, ...placed]);
      expect([exit, stderr.replaceAll(`${folder}/`, '')]).toEqual([code, expect.stringContaining(`error: ${message}`)]);
      expect([requests, readFileSync(join(folder, 'there'), 'utf8')]).toEqual([[], 'precious']);
    });

    it('prints the status of a response without a body, and saves no file', async () => {
      for (const status of [304, 204]) {
        const { iiot, folder } = newPerson({ fetch: respondingWith(status) });
        const path = join(folder, 'file');
        const words = [...get, '-H', 'If-None-Match: "a"', '--output-file', path];
        expect(await iiot(words)).toEqual(worked('', `GET /api/v1/export answered ${status}`));
        const { stdout } = await iiot([...get, '-o', 'json']);
        expect(JSON.parse(stdout)).toEqual({ method: 'GET', path: '/api/v1/export', status });
        expect(existsSync(path)).toBe(false);
      }
    });

    it('fails if a web page comes, whatever its content type', async () => {
      for (const type of ['text/html', '']) {
        const { iiot } = answering(200, type, Buffer.from('<!doctype html><title>Welcome to Plant WiFi</title>'));
        const { exit, stdout, stderr } = await iiot(get);
        expect([exit, stdout, stderr]).toEqual([8, '', expect.stringContaining('"Welcome to Plant WiFi"')]);
      }
    });
  });

  it('appends the path to that of the base URL', async () => {
    const { stdout } = await api(wordsOf('GET /x --base-url http://127.0.0.1:1/prefix --dry-run --jq .request.url'));
    expect(stdout).toBe('http://127.0.0.1:1/prefix/x\n');
  });

  const noSuchMethod = 'METHOD must be one of GET, POST, PUT, PATCH, DELETE.';
  const noMethod = '--openapi prints the interface, and takes no METHOD.';
  const noHeader = '--header takes NAME:VALUE, in ASCII.';
  it.each([
    [[], 'iiot api needs a path.'],
    [['-X', 'TRACE', '/x'], noSuchMethod],
    [['PUT', '/x', '-X', 'POST'], 'The method is given twice: PUT and -X.'],
    [['-X', 'PUT', '--openapi'], noMethod],
    [['/x', '-f', 'a=1'], 'A GET has no body.'],
    [['TRACE', '/x'], noSuchMethod],
    [['POST', '/x', '--all'], '--all follows the pages of a list, and works only with GET.'],
    [['POST', '/x', '--raw-field', 'a'], '--raw-field takes KEY=VALUE.'],
    [['POST', '/x', '--raw-field', 'a=1', '--field', 'a=2'], '--field and --raw-field both name "a".'],
    [
      ['POST', '/x', '--raw-field', 'a=1', '--body-file', '-'],
      '--body-file is the whole body and cannot be combined with a field.',
    ],
    [['POST', '/x', '--body-file', '-'], '--body-file is empty.'],
    [['GET', '/x', '--query-param', 'a'], '--query-param takes KEY=VALUE.'],
    [['GET', '/x', '--header', 'nothing'], noHeader],
    [['GET', '/x', '--header', 'X-A: b\nHost: evil'], noHeader],
    [['GET', '/x', '--header', 'Authorization: Bearer x'], '--header cannot set authorization: iiot does.'],
    [['--openapi', 'GET', '/x'], noMethod],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    expect(await inBrief(api(words))).toEqual(failed(2, `error: ${sentence}`));
    expect(someone.requests).toEqual([]);
  });
});
