import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { personForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { person } from '../support/world.ts';

const request = 'PUT /platform/solutions/api/v1/devices/press-0001/custom-info';
const someone = personForEach();

const set = (...words: string[]) => someone.iiot(['devices', 'custom-info', 'set', 'press-0001', ...words]);

function file(name: string, content: string): string {
  const path = join(someone.folder, name);
  writeFileSync(path, content);
  return path;
}

describe('iiot devices custom-info set', () => {
  it('sends the keys in the order in which they were typed, and says what it did', async () => {
    const before = new Map(someone.platform.world.devices.get('press-0001')?.customInfo);
    expect(await set('line=3', 'owner=Night shift', '--null', 'calibratedAt')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'Set 3 keys of device press-0001\n',
    });
    expect(someone.sent).toEqual([{ request, body: '{"line":"3","owner":"Night shift","calibratedAt":null}' }]);
    expect(someone.platform.world.devices.get('press-0001')?.customInfo).toEqual(
      new Map([...before, ['line', '3'], ['owner', 'Night shift'], ['calibratedAt', null]]),
    );
  });

  it.each([
    ['an empty text', ['note='], '{"note":""}'],
    ['null', ['--null', 'note'], '{"note":null}'],
    ['the first = splits', ['formula=a=b=c'], '{"formula":"a=b=c"}'],
    ['an empty key', ['=x'], '{"":"x"}'],
    ['a key that begins with a hyphen, behind --', ['--', '-x=1'], '{"-x":"1"}'],
    [
      'keys that objects have already',
      ['__proto__=a', 'constructor=b', 'toString=c'],
      '{"__proto__":"a","constructor":"b","toString":"c"}',
    ],
    ['keys that look like numbers, in their order', ['b=1', '10=2', '9=3'], '{"b":"1","10":"2","9":"3"}'],
    ['line ends, tabs and quotes', ['t=a\r\nb\tc"\\'], '{"t":"a\\r\\nb\\tc\\"\\\\"}'],
    ['letters beyond the first plane', ['emoji=😀', '日本=é'], '{"emoji":"😀","日本":"é"}'],
    ['composed and decomposed letters as two keys', ['\u00e9=1', 'e\u0301=2'], '{"\u00e9":"1","e\u0301":"2"}'],
    ['dots in a key', ['a.b=1'], '{"a.b":"1"}'],
  ])('sends %s as it is', async (_, words, body) => {
    expect((await set(...words)).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body }]);
    expect(({} as { a?: unknown }).a).toBe(undefined);
  });

  it('makes three requests of an empty text, null and an absent key', async () => {
    await set('a=', 'b=1');
    await set('--null', 'a', 'b=1');
    await set('b=1');
    expect(someone.sent.map(({ body }) => body)).toEqual(['{"a":"","b":"1"}', '{"b":"1","a":null}', '{"b":"1"}']);
  });

  it('reads --body-file, and adds what was typed', async () => {
    const path = file('info.json', '\ufeff{\r\n  "10": "ten", "2": "two",\r\n  "__proto__": null }\r\n');
    expect((await set('typed=yes', '--body-file', path)).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body: '{"10":"ten","2":"two","__proto__":null,"typed":"yes"}' }]);
  });

  it.each(['--body-file'])('reads %s - from standard input', async (option) => {
    const words = ['devices', 'custom-info', 'set', 'press-0001', option, '-'];
    const { exit } = await someone.iiot(words, { stdin: '{"a":"1"}' });
    expect([exit, someone.sent]).toEqual([0, [{ request, body: '{"a":"1"}' }]]);
  });

  it.each([
    ['no JSON', '{"a": "1",\n oops}', 'is not JSON: see line 2.'],
    ['a key twice', '{"a":"1",\n"b":"2",\n"a":"3"}', 'has the key "a" twice in one object: see line 3.'],
    ['a list', '["a"]', 'must hold a JSON object.'],
    ['nothing', '', 'is empty.'],
    ['blanks', ' \r\n', 'is empty.'],
    [
      'levels without end',
      `${'['.repeat(100_000)}`,
      'is nested more than 64 levels deep, which no platform reads: see line 1.',
    ],
  ])('refuses a file of %s', async (_, content, words) => {
    const { exit, stderr } = await set('--body-file', file('info.json', content));
    expect(exit).toBe(2);
    expect(stderr.split('\n')[0]).toMatch(/^error: --body-file/);
    expect(stderr.split('\n')[0]?.endsWith(words), stderr).toBe(true);
    expect(someone.requests).toEqual([]);
  });

  it('names every value that is neither a text nor null, with its key', async () => {
    const path = file('info.json', '{"a":1,"b":true,"c":{},"d":[],"e":"fine","f":null}');
    const { exit, stderr } = await set('--body-file', path, '-o', 'json');
    const details = ['a', 'b', 'c', 'd'].map((field) => ({ field, message: 'takes a string or null' }));
    expect([exit, JSON.parse(stderr).error.details]).toEqual([2, details]);
    expect(someone.requests).toEqual([]);
  });

  it.each([
    [[], 'error: There is nothing to set.'],
    [['line'], 'error: line is not KEY=VALUE.'],
    [
      ['a=1', 'b', 'a=2', '--null', 'a'],
      'error: b is not KEY=VALUE; KEY=VALUE gives the key "a" twice; --null gives the key "a" twice.',
    ],
    [['--null'], 'error: --null needs a value: KEY.'],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const { exit, stdout, stderr } = await set(...words);
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(someone.requests).toEqual([]);
  });

  it('notes keys that differ only in case, and sends both', async () => {
    expect((await set('Line=1', 'line=2')).stderr).toBe(
      'Note: the key "line" differs from "Line" only in case.\nSet 2 keys of device press-0001\n',
    );
    expect(someone.sent).toEqual([{ request, body: '{"Line":"1","line":"2"}' }]);
  });

  it.each([
    ['press-０００１', 'width'],
    ['press−0001', 'dashes'],
    ['pressー0001', 'dashes'],
    ['ｐress－0001', 'width'],
  ])('asks whether press-0001 is meant where nothing has the ID %s', async (id, difference) => {
    const { exit, stderr } = await someone.iiot(['devices', 'custom-info', 'set', id, 'a=1']);
    const hint = `hint: Check the ID and the platform: iiot profiles show. Did you mean "press-0001"? It differs in ${difference}`;
    expect([exit, stderr.split('\n')[1]]).toEqual([5, hint]);
  });

  it('notes an ID and a key whose letters have two parts, and sends them as they are', async () => {
    const [id, key] = ['ホ\u309aンフ\u309a', 'カ\u3099ス圧'];
    someone.platform.world.devices.set(id, { deviceId: id, orgId: ids.root, customInfo: new Map() });
    const form = 'is not in the Unicode form NFC: macOS often writes accents as separate characters';
    expect((await someone.iiot(['devices', 'custom-info', 'set', id, `${key}=1`])).stderr).toBe(
      `Note: the device ID "${id}" ${form}.\nNote: the key "${key}" ${form}.\nSet 1 key of device ${id}\n`,
    );
    expect(someone.sent[0]?.body).toBe(JSON.stringify({ [key]: '1' }));
  });

  it.each([
    ['json', '{\n  "deviceId": "press-0001",\n  "customInfo": {\n    "line": "3",\n    "note": null\n  }\n}\n'],
    ['ndjson', '{"deviceId":"press-0001","customInfo":{"line":"3","note":null}}\n'],
    ['yaml', 'deviceId: press-0001\ncustomInfo:\n  line: "3"\n  note: null\n'],
    ['csv', 'deviceId,customInfo\r\npress-0001,"{""line"":""3"",""note"":null}"\r\n'],
    ['id', 'press-0001\n'],
  ])('tells what it did as %s', async (format, stdout) => {
    expect(await set('line=3', '--null', 'note', '-o', format)).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('keeps the order of its keys in the result too', async () => {
    expect((await set('b=1', '10=2', '9=3', '-o', 'ndjson')).stdout).toBe(
      '{"deviceId":"press-0001","customInfo":{"b":"1","10":"2","9":"3"}}\n',
    );
  });

  it('rehearses with --dry-run: the request, a line for curl, and nothing sent', async () => {
    const { exit, stdout } = await set("owner=O'Neil", '--dry-run', '-o', 'json');
    const { curl, ...rest } = JSON.parse(stdout);
    const url = 'http://127.0.0.1:1/platform/solutions/api/v1/devices/press-0001/custom-info';
    expect(exit).toBe(0);
    expect(rest).toEqual({
      dryRun: true,
      request: { method: 'PUT', url, headers: null, contentType: 'application/json', body: { owner: "O'Neil" } },
      replaces: [],
      notes: [],
    });
    expect(curl).toContain(`--data-raw '{"owner":"O'\\''Neil"}'`);
    expect(someone.requests).toEqual([]);
  });

  it('says which device was not found, and where to look', async () => {
    expect(await someone.iiot(['devices', 'custom-info', 'set', 'press-9999', 'a=1'])).toEqual({
      exit: 5,
      stdout: '',
      stderr:
        'error: There is no device press-9999.\nhint: Check the ID and the platform: iiot profiles show\nHTTP 404 · request request-000002\n',
    });
  });

  it.each([
    ['200 without a body', 200, undefined],
    ['200 with the record', 200, { deviceId: 'press-0001', customInfo: { line: '3', older: 'x' } }],
    ['201', 201, { anything: true }],
  ])('takes %s for done', async (_, status, body) => {
    const other = person({ fetch: respondingWith(status, body) });
    const words = ['devices', 'custom-info', 'set', 'press-0001', 'line=3', '-o', 'ndjson'];
    expect(await other.iiot(words)).toEqual({
      exit: 0,
      stdout: '{"deviceId":"press-0001","customInfo":{"line":"3"}}\n',
      stderr: '',
    });
    other.leave();
  });
});
