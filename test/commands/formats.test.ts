/** What goes out: every command in every format, the same result and the same end. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { respondingWith } from '../support/responses.ts';
import { type Given, type Person, person, type Seen } from '../support/world.ts';

const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const formats = ['json', 'ndjson', 'yaml', 'csv', 'id', 'table'] as const;
const ada = {
  IIOT_ACCOUNT: 'ada@factory.example',
  IIOT_PASSWORD: 'correct horse',
  IIOT_CLIENT_ID: undefined,
  IIOT_CLIENT_SECRET: undefined,
};

type Run = {
  readonly words: readonly string[];
  readonly ids: string;
  readonly before?: readonly (readonly string[])[];
  readonly given?: Given;
  readonly bare?: true;
};

/** Each command with the ids that it prints with -o id. `bare`: the platform answers changes without a body. */
const runs: readonly Run[] = [
  { words: ['orgs', 'users', 'list', '--limit', '3'], ids: 'ada\nuser-0001\nuser-0002\n' },
  { words: ['orgs', 'users', 'list', '--name', 'nobody at all'], ids: '' },
  { words: ['templates', 'list', '--limit', '2'], ids: 'template_001\ntemplate_002\n' },
  { words: ['devices', 'custom-info', 'set', 'press-0001', 'a=1', '--null', 'b'], ids: 'press-0001\n' },
  { words: ['policies', 'update', policy, '--delay', '5m'], ids: `${policy}\n` },
  { words: ['policies', 'update', policy, '--delay', '5m'], ids: `${policy}\n`, bare: true },
  { words: ['templates', 'update', 'template_001', '--name', 'n'], ids: 'template_001\n' },
  { words: ['templates', 'update', 'template_001', '--name', 'n'], ids: 'template_001\n', bare: true },
  { words: ['channels', 'update', 'channel_email', '--disable'], ids: 'channel_email\n' },
  { words: ['channels', 'update', 'channel_email', '--disable'], ids: 'channel_email\n', bare: true },
  {
    words: ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--run-on-startup'],
    ids: 'batch_001\n',
  },
  { words: ['batches', 'cron', '0 0 2 * * ?'], ids: '0 0 2 * * ?\n' },
  {
    words: ['orgs', 'delete', '77777777-7777-4777-8777-777777777777', '--org-name', 'Storage'],
    ids: '77777777-7777-4777-8777-777777777777\n',
  },
  { words: ['credentials', 'list'], ids: 'credential_001\n' },
  { words: ['credentials', 'delete', 'credential_001', '--yes'], ids: 'credential_001\n' },
  { words: ['login'], given: { env: ada }, ids: 'default\n' },
  { words: ['login', 'm2m'], ids: 'default\n' },
  { words: ['login', 'status'], ids: 'default\n' },
  { words: ['login', 'status', '--check'], before: [['login', 'm2m']], ids: 'default\n' },
  { words: ['login', 'refresh'], ids: 'default\n' },
  { words: ['logout'], before: [['login', 'm2m']], ids: 'default\n' },
  { words: ['logout', '--all'], ids: '' },
  { words: ['profiles', 'list'], before: [['profiles', 'set', 'plant', 'org=o']], ids: 'plant\n' },
  {
    words: ['profiles', 'show', 'plant'],
    before: [['profiles', 'set', 'plant', 'org=o', 'protected=true']],
    ids: 'plant\n',
  },
  {
    words: ['profiles', 'show', 'plant', '--origin'],
    before: [['profiles', 'set', 'plant', 'org=o']],
    ids: 'org\nlogin\n',
  },
  { words: ['profiles', 'set', 'plant', 'org=o', 'protected=true'], ids: 'plant\n' },
  { words: ['profiles', 'use', 'plant'], before: [['profiles', 'set', 'plant', 'org=o']], ids: 'plant\n' },
  { words: ['profiles', 'delete', 'plant'], before: [['profiles', 'set', 'plant', 'org=o']], ids: 'plant\n' },
  { words: ['api', 'PUT', '/platform/solutions/api/v1/devices/press-0001/custom-info', '--field', 'a=1'], ids: '' },
  { words: ['history'], before: [['policies', 'update', policy, '--delay', '1']], ids: 'request-000002\n' },
];

async function seen({ words, before = [], given, bare }: Run, format: string): Promise<Seen> {
  const someone: Person = bare ? person({ fetch: respondingWith(204) }) : person();
  for (const line of before) expect((await someone.iiot(line)).exit).toBe(0);
  const result = await someone.iiot([...words, '-o', format], given);
  someone.leave();
  return result;
}

/** One for all: it compiles the rules of schemas themselves first, which takes longer than any of ours. */
const ajv = new Ajv2020({ strict: false, validateFormats: false });

async function schemaOf(words: readonly string[]): Promise<object> {
  const someone = person();
  const { stdout } = await someone.iiot(['help', ...words, '-o', 'json']);
  someone.leave();
  return JSON.parse(stdout).result;
}

/** The words that name the command: as many as help knows. */
function nameOf(words: readonly string[]): readonly string[] {
  const names = [
    'orgs users list',
    'orgs delete',
    'devices custom-info set',
    'login status',
    'login refresh',
    'login m2m',
  ];
  const long = names.find((name) => words.join(' ').startsWith(name));
  if (long) return long.split(' ');
  return ['login', 'logout', 'api', 'history'].includes(words[0] ?? '') ? words.slice(0, 1) : words.slice(0, 2);
}

describe.each(runs.map((run) => [`iiot ${run.words.join(' ')}${run.bare ? ' (answered 204)' : ''}`, run] as const))(
  '%s',
  (_, run) => {
    it('is the same result in every format, and ends in the same way', async () => {
      const [json, ndjson, yaml, csv, id, table] = await Promise.all(formats.map((format) => seen(run, format)));
      expect([json, ndjson, yaml, csv, id, table].map((end) => end?.exit)).toEqual(formats.map(() => 0));
      // Where a program reads, stderr has nothing but the notice that a list was cut.
      const cut = run.words.includes('--limit') ? /^\d of [\d,]+ \w+: --all for the rest\n$/ : /^$/;
      for (const result of [json, ndjson, yaml]) expect(result?.stderr).toMatch(cut);

      const value = JSON.parse(json?.stdout ?? '');
      const items = Array.isArray(value) ? value : [value];
      expect(json?.stdout.endsWith('\n')).toBe(true);
      const lines = ndjson?.stdout.split('\n').slice(0, -1) ?? [];
      expect(lines.map((line) => JSON.parse(line))).toEqual(items);
      expect(parseYaml(yaml?.stdout ?? '')).toEqual(value);
      expect(ajv.validate(await schemaOf(nameOf(run.words)), value), ajv.errorsText()).toBe(true);

      const [header = [], ...cells]: string[][] = parseCsv(csv?.stdout ?? '');
      const cellOf = (field: unknown) =>
        typeof field === 'object' && field !== null ? JSON.stringify(field) : String(field ?? '');
      expect(header.length).toBeGreaterThan(0);
      expect(cells).toEqual(items.map((item) => header.map((field) => cellOf(item[field]))));

      expect(id?.stdout).toBe(run.ids);
      expect(table?.stdout).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]/);
      if (Array.isArray(value)) expect(table?.stdout.split('\n')).toHaveLength(value.length + 1);
      else expect(table?.stdout).toMatch(/^$|\n$/);
    });
  },
);

type Failing = {
  readonly exit: number;
  readonly code: string;
  readonly words: readonly string[];
  readonly before?: readonly string[];
  readonly env?: Given['env'];
};

const twice = ['batches', 'create', '--name', 'twice', '--cron', '0 0 2 * * ?', '--enabled', '--run-on-startup'];
const vic = { ...ada, IIOT_ACCOUNT: 'vic@factory.example', IIOT_PASSWORD: 'battery staple' };

const failing: readonly Failing[] = [
  { exit: 2, code: 'usage', words: ['policies', 'update', policy] },
  { exit: 2, code: 'usage', words: ['orgs', 'users', 'list', '--role', 'boss'] },
  { exit: 3, code: 'unauthenticated', words: ['orgs', 'users', 'list'], env: { IIOT_TOKEN: 'wrong' } },
  {
    exit: 4,
    code: 'forbidden',
    words: ['orgs', 'delete', '77777777-7777-4777-8777-777777777777', '--org-name', 'Storage'],
    before: ['login'],
    env: vic,
  },
  { exit: 5, code: 'not_found', words: ['templates', 'update', 'template_999', '--name', 'x'] },
  { exit: 6, code: 'conflict', words: twice, before: twice },
  { exit: 7, code: 'rejected', words: ['templates', 'update', 'template_001', '--content', '{{'] },
  { exit: 8, code: 'channel_validation_failed', words: ['channels', 'update', 'channel_unreachable', '--disable'] },
];

describe.each(failing)('iiot $words, which ends with $exit ($code)', ({ exit, code, words, before, env }) => {
  const end = async (format: string): Promise<Seen> => {
    const someone = person({ env });
    if (before) expect((await someone.iiot(before)).exit).toBe(0);
    const result = await someone.iiot([...words, '-o', format]);
    someone.leave();
    return result;
  };

  it('is one JSON object where a program reads, lines for a person, and has nothing on stdout', async () => {
    for (const format of formats) {
      const { stderr, ...rest } = await end(format);
      expect([format, rest]).toEqual([format, { exit, stdout: '' }]);
      if (['json', 'ndjson', 'yaml'].includes(format)) {
        expect(stderr.split('\n')).toHaveLength(2);
        expect(JSON.parse(stderr).error).toMatchObject({ code, message: expect.any(String), hint: expect.any(String) });
      } else {
        // What went wrong, what to do, and the status where a platform answered.
        expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n(HTTP \d{3}( · request [^\n]+)?\n)?$/);
      }
    }
  });
});

describe('--columns and --jq', () => {
  it('choose and order fields of table and csv, any field of the result and nested ones', async () => {
    const someone = person();
    const list = (...words: string[]) => someone.iiot(['orgs', 'users', 'list', '--limit', '1', '-q', ...words]);
    expect((await list('--columns', 'email,name')).stdout).toBe('ada@factory.example\tAda Okonkwo\n');
    expect((await list('--columns', 'orgRole,userId', '-o', 'csv')).stdout).toBe('orgRole,userId\r\nadmin,ada\r\n');
    expect(
      (await someone.iiot(['channels', 'update', 'channel_email', '--disable', '--columns', 'commonSettings.timeout']))
        .stdout,
    ).toBe('commonSettings.timeout\t30\n');
    someone.leave();
  });

  it('end with 2 where they are wrong, before anything is sent', async () => {
    const someone = person();
    const list = async (...words: string[]) => {
      const { exit, stderr } = await someone.iiot(['orgs', 'users', 'list', ...words]);
      return [exit, stderr.split('\n')[0]];
    };
    expect(await list('--columns', 'name', '-o', 'json')).toEqual([
      2,
      expect.stringContaining('--columns works with table and csv, not -o json.'),
    ]);
    expect(await list('--jq', '.[')).toEqual([2, expect.stringMatching(/^error: jq cannot read the expression: /)]);
    expect(someone.requests).toEqual([]);
    expect(await list('--columns', 'shoeSize')).toEqual([2, expect.stringMatching(/shoeSize/)]);
    someone.leave();
  });

  it('give strings raw, one a line, over all pages together', async () => {
    const someone = person({ users: 2500 });
    const words = ['orgs', 'users', 'list', '--all', '--jq', '[length, (map(.userId) | unique | length)], .[0].name'];
    expect(await someone.iiot(words)).toEqual({ exit: 0, stdout: '[2500,2500]\nAda Okonkwo\n', stderr: '' });
    someone.leave();
  });
});
