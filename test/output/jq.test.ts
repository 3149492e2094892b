import { describe, expect, it } from 'vitest';
import { checkExpression, runJq, withEnvironment } from '../../src/output/jq.ts';
import { ada, bob, memorySink, seen, terminal, users } from './memory.ts';

const jq = (expression: string) => ({ format: 'table', jq: expression }) as const;
const list = () => users({ items: [ada], total: 2 }, { items: [bob], total: 2 });

describe('--jq', () => {
  it('prints strings raw and other values as JSON, one per line', async () => {
    const { stdout } = await seen(list(), jq('length, .[0], null, (.[] | .name | length), [], "  x  ", ""'));
    expect(stdout).toBe('2\n{"userId":"u-1","name":"Ada Lovelace","orgRole":"admin"}\nnull\n12\n3\n[]\n  x  \n\n');
  });

  it.each(['json', 'ndjson', 'yaml', 'id', 'table'] as const)('overrides the format %s', async (format) => {
    expect((await seen(list(), { format, jq: 'map(.orgRole)' })).stdout).toBe('["admin","viewer"]\n');
  });

  it.each([
    ['map({userId, n: 9007199254740993})', 'userId,n\r\nu-1,9007199254740993\r\nu-2,9007199254740993\r\n'],
    ['.[] | {name, tags: ["a", "b"]}', 'name,tags\r\nAda Lovelace,"[""a"",""b""]"\r\nBob,"[""a"",""b""]"\r\n'],
    ['.[] | [.userId, .name] | @csv', '"u-1","Ada Lovelace"\n"u-2","Bob"\n'],
    ['map(select(false))', ''],
  ])('with -o csv prints the rows that %s returns', async (expression, stdout) => {
    expect(await seen(list(), { format: 'csv', jq: expression })).toEqual({ stdout, notices: [] });
  });

  it.each(['length', 'map(.orgRole)', '.[] | [.name]', '.[0], 1'])(
    'with -o csv is refused for %s, and the hint names @csv',
    async (expression) => {
      await expect(seen(list(), { format: 'csv', jq: expression })).rejects.toMatchObject({
        kind: 'usage',
        facts: { hint: expect.stringContaining('@csv') },
      });
    },
  );

  it('receives a single record, and the result of a change', async () => {
    expect((await seen({ kind: 'record', value: { a: { b: 'x' } } }, jq('.a.b'))).stdout).toBe('x\n');
    const done = { kind: 'done', value: { orgId: 'o-1', deleted: true }, sentence: 'Deleted' } as const;
    expect(await seen(done, jq('.deleted'))).toEqual({ stdout: 'true\n', notices: [] });
  });

  it('keeps the digits of long numbers, the order of keys, and __proto__', async () => {
    const value = Object.assign(JSON.parse('{"b":1,"__proto__":{"x":1}}'), { a: 9007199254740993n });
    expect((await seen({ kind: 'record', value }, jq('.'))).stdout).toBe(
      '{"b":1,"__proto__":{"x":1},"a":9007199254740993}\n',
    );
  });

  it('escapes invisible and control characters in JSON', async () => {
    const record = { kind: 'record', value: { name: 'a\u009b\u202e\u200b' } } as const;
    expect((await seen(record, jq('.'))).stdout).toBe('{"name":"a\\u009b\\u202e\\u200b"}\n');
  });

  it('escapes control characters of strings at a terminal only', async () => {
    const record = { kind: 'record', value: { name: 'a\u001b[31m\u202e\nb\tc' } } as const;
    expect((await seen(record, jq('.name'))).stdout).toBe('a\u001b[31m\u202e\nb\tc\n');
    expect((await seen(record, jq('.name'), terminal())).stdout).toBe('a\\u{1b}[31m\\u{202e}\nb\tc\n');
    expect((await seen(record, jq('.'), terminal())).stdout).toBe('{"name":"a\\u001b[31m\\u202e\\nb\\tc"}\n');
  });

  it('replaces half of a surrogate pair in a string', async () => {
    expect((await seen({ kind: 'record', value: { name: 'a\ud800' } }, jq('.name'))).stdout).toBe('a\ufffd\n');
  });

  it('prints the debug messages of jq and the notice of a cut list on stderr', async () => {
    const cut = users({ items: [ada], total: 2000 });
    expect(await seen(cut, jq('.[0].name | debug'))).toEqual({
      stdout: 'Ada Lovelace\n',
      notices: ['["DEBUG:","Ada Lovelace"]', '1 of 2,000 users: --all for the rest'],
    });
  });

  it('ends with the error of jq and an empty stdout', async () => {
    const stdout = memorySink();
    await expect(seen(list(), jq('.[0].name, .[0].name.first'), stdout)).rejects.toMatchObject({
      kind: 'usage',
      message: 'jq failed on the result: Cannot index string with string ("first").',
      facts: { details: [{ option: '--jq', message: 'Cannot index string with string ("first")' }] },
    });
    expect(stdout.chunks).toEqual([]);
  });

  it.each([
    ['error("no \u001b[31m luck")', 'no \\u{1b}[31m luck'],
    ['error', '(not a string): null'],
    ['"stop\n" | halt_error', 'stop'],
    ['null | halt_error', 'no reason given'],
  ])('fails for %j with the words "%s"', async (expression, words) => {
    await expect(runJq(expression, 'null')).rejects.toThrow(`: ${words}.`);
  });

  it('has neither the environment nor the files of this process', async () => {
    const { values } = await runJq('env, $ENV.PATH, input_filename', 'null');
    expect(values).toEqual([
      // Its language is that of Node's navigator, from Node 21 on.
      expect.stringMatching(
        /^{"USER":"web_user","LOGNAME":"web_user","PATH":"\/","PWD":"\/","HOME":"\/home\/web_user","LANG":"\w+\.UTF-8","_":"\.\/this\.program"}$/,
      ),
      '"/"',
      '"/dev/stdin"',
    ]);
    await expect(runJq('import "/etc/passwd" as $a; $a', 'null')).rejects.toMatchObject({ kind: 'usage' });
  });

  it('has the environment without secrets if the expression reads it', async () => {
    const env = {
      ME: 'a "\\(1)\\n',
      IIOT_TOKEN: 's1',
      IIOT_CLIENT_SECRET: 's2',
      HTTPS_PROXY: 'http://u:s3@p',
      HOME: undefined,
    };
    const { values } = await runJq(withEnvironment('def f: env; f, env.ME, $ENV.ME, (env | keys)', env), 'null');
    expect(values.map((value) => JSON.parse(value))).toEqual([{ ME: env.ME }, env.ME, env.ME, ['ME']]);
    expect(withEnvironment('.environment', env)).toBe('.environment');
  });

  it('gives up an endless recursion, and works again afterwards', async () => {
    await expect(runJq('def f: 1 + f; f', 'null')).rejects.toMatchObject({
      kind: 'usage',
      message: 'jq gave up on the expression: it needs too much memory.',
    });
    expect((await runJq('1 + 1', 'null')).values).toEqual(['2']);
  });

  it('handles thirty thousand items', async () => {
    const items = Array.from({ length: 30_000 }, (_, at) => ({ userId: `u-${at}`, name: `User number ${at}` }));
    const { stdout } = await seen(users({ items }), jq('.[] | .name'));
    expect(stdout).toBe(items.map(({ name }) => `${name}\n`).join(''));
  });
});

describe('checking a jq expression', () => {
  it.each(['.', '.[] | select(.name | test("^A"; "i"))', 'input', 'repeat(.)', 'halt_error', '-1', '# a comment\n.'])(
    'accepts %j without running it',
    async (expression) => {
      await expect(checkExpression(expression)).resolves.toBeUndefined();
    },
  );

  it.each([
    ['.[', 'syntax error, unexpected end of file at line 1, column 2'],
    ['.a | nosuch', 'nosuch/0 is not defined at line 1, column 6'],
    ['', 'Top-level program not given (try ".")'],
    ['--version', 'version/0 is not defined at line 1, column 3'],
  ])('refuses %j with the error of jq', async (expression, words) => {
    await expect(checkExpression(expression)).rejects.toMatchObject({
      kind: 'usage',
      message: `jq cannot read the expression: ${words}.`,
      facts: {
        hint: 'The language is described at https://jqlang.org/manual.',
        details: [{ option: '--jq', message: words }],
      },
    });
  });
});
