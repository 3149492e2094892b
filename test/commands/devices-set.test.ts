import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, inBrief, worked } from '../support/seen.ts';

const newPerson = personsForEach();
const request = 'PUT /platform/solutions/api/v1/devices/press-0001/custom-info';
const someone = personForEach();

const set = (...words: string[]) => someone.iiot(['devices', 'custom-info', 'set', 'press-0001', ...words]);

describe('iiot devices custom-info set', () => {
  it('sends the keys in the order in which they are typed, and reports their number', async () => {
    const before = new Map(someone.platform.world.devices.get('press-0001')?.customInfo);
    const words = ['line=3', 'owner=Night shift', '--null', 'calibratedAt'];
    expect(await set(...words)).toEqual(worked('', 'Set 3 keys of device press-0001'));
    expect(someone.sent).toEqual([{ request, body: '{"line":"3","owner":"Night shift","calibratedAt":null}' }]);
    expect(someone.platform.world.devices.get('press-0001')?.customInfo).toEqual(
      new Map([...before, ['line', '3'], ['owner', 'Night shift'], ['calibratedAt', null]]),
    );
  });

  it.each([
    ['an empty text', ['note='], '{"note":""}'],
    ['null', ['--null', 'note'], '{"note":null}'],
    ['a value with =', ['formula=a=b=c'], '{"formula":"a=b=c"}'],
    ['an empty key', ['=x'], '{"":"x"}'],
    ['a key that begins with a hyphen, after --', ['--', '-x=1'], '{"-x":"1"}'],
    [
      'keys that every object has',
      ['__proto__=a', 'constructor=b', 'toString=c'],
      '{"__proto__":"a","constructor":"b","toString":"c"}',
    ],
    ['keys that look like numbers, in their order', ['b=1', '10=2', '9=3'], '{"b":"1","10":"2","9":"3"}'],
    ['line ends, tabs and quotes', ['t=a\r\nb\tc"\\'], '{"t":"a\\r\\nb\\tc\\"\\\\"}'],
    ['letters beyond the first plane', ['emoji=😀', '日本=é'], '{"emoji":"😀","日本":"é"}'],
    ['composed and decomposed letters as two keys', ['\u00e9=1', 'e\u0301=2'], '{"\u00e9":"1","e\u0301":"2"}'],
    ['dots in a key', ['a.b=1'], '{"a.b":"1"}'],
  ])('sends %s unchanged', async (_, words, body) => {
    expect((await set(...words)).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body }]);
    expect(({} as { a?: unknown }).a).toBe(undefined);
  });

  it('reads --body-file, and adds the keys that are typed', async () => {
    const path = someone.file('info.json', '\ufeff{\r\n  "10": "ten", "2": "two",\r\n  "__proto__": null }\r\n');
    expect((await set('typed=yes', '--body-file', path)).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body: '{"10":"ten","2":"two","__proto__":null,"typed":"yes"}' }]);
  });

  it.each([
    ['a key twice', '{"a":"1",\n"b":"2",\n"a":"3"}', 'has the key "a" twice in one object: see line 3.'],
    ['a list', '["a"]', 'must hold a JSON object.'],
    ['nothing', '', 'is empty.'],
    ['endless levels', `${'['.repeat(100_000)}`, ': see line 1.'],
  ])('refuses a file with %s', async (_, content, words) => {
    const { exit, stderr } = await set('--body-file', someone.file('info.json', content));
    expect(exit).toBe(2);
    expect(stderr.split('\n')[0]).toMatch(/^error: --body-file/);
    expect(stderr.split('\n')[0]?.endsWith(words), stderr).toBe(true);
    expect(someone.requests).toEqual([]);
  });

  it('names every key whose value is neither a string nor null', async () => {
    const path = someone.file('info.json', '{"a":1,"b":true,"c":{},"d":[],"e":"fine","f":null}');
    const { exit, stderr } = await set('--body-file', path, '-o', 'json');
    const details = ['a', 'b', 'c', 'd'].map((field) => ({ field, message: 'takes a string or null' }));
    expect([exit, JSON.parse(stderr).error.details]).toEqual([2, details]);
    expect(someone.requests).toEqual([]);
  });

  it.each([
    [[], 'There is nothing to set.'],
    [['line'], 'line is not KEY=VALUE.'],
    [
      ['a=1', 'b', 'a=2', '--null', 'a'],
      'b is not KEY=VALUE; KEY=VALUE gives the key "a" twice; --null gives the key "a" twice.',
    ],
    [['--null'], '--null needs a value: KEY.'],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    expect(await inBrief(set(...words))).toEqual(failed(2, `error: ${sentence}`));
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
  ])('suggests press-0001 if no device has the ID %s', async (id, difference) => {
    const { exit, stderr } = await someone.iiot(['devices', 'custom-info', 'set', id, 'a=1']);
    const hint = `. Did you mean "press-0001"? It differs in ${difference}\n`;
    expect([exit, stderr]).toEqual([5, expect.stringContaining(hint)]);
  });

  it('notes an ID and a key that are not in NFC, and sends them unchanged', async () => {
    const [id, key] = ['ホ\u309aンフ\u309a', 'カ\u3099ス圧'];
    someone.platform.world.devices.set(id, { deviceId: id, orgId: ids.root, customInfo: new Map() });
    const { stderr } = await someone.iiot(['devices', 'custom-info', 'set', id, `${key}=1`]);
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining(`Note: the device ID "${id}" is not in the Unicode form NFC`),
      expect.stringContaining(`Note: the key "${key}" is not in the Unicode form NFC`),
      `Set 1 key of device ${id}`,
      '',
    ]);
    expect(someone.sent[0]?.body).toBe(JSON.stringify({ [key]: '1' }));
  });

  it('quotes the body for curl in a dry run', async () => {
    const { stdout } = await set("owner=O'Neil", '--dry-run', '-o', 'json');
    expect(JSON.parse(stdout).curl).toContain(`--data-raw '{"owner":"O'\\''Neil"}'`);
  });

  it.each([
    ['200 without a body', 200, undefined],
    ['200 with the record', 200, { deviceId: 'press-0001', customInfo: { line: '3', older: 'x' } }],
    ['201', 201, { anything: true }],
  ])('counts %s as done', async (_, status, body) => {
    const words = ['devices', 'custom-info', 'set', 'press-0001', 'line=3', '-o', 'ndjson'];
    expect(await newPerson({ fetch: respondingWith(status, body) }).iiot(words)).toEqual(
      worked('{"deviceId":"press-0001","customInfo":{"line":"3"}}\n'),
    );
  });
});
