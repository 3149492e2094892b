/** Every command in every format. */
import { PassThrough } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { groups } from '../../src/commands/index.ts';
import { valueAt } from '../../src/output/columns.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { wordsOf } from '../support/words.ts';
import { type Given, person, type Seen } from '../support/world.ts';

const storage = '77777777-7777-4777-8777-777777777777';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const formats = ['json', 'ndjson', 'yaml', 'csv', 'id', 'table'] as const;
const ada = {
  IIOT_ACCOUNT: 'ada@factory.example',
  IIOT_PASSWORD: 'correct horse',
  IIOT_CLIENT_ID: undefined,
  IIOT_CLIENT_SECRET: undefined,
};

/** A command line, and what has been typed before it. */
type Line = {
  readonly line: string;
  readonly before?: string;
  readonly env?: Given['env'];
  readonly bare?: true;
};
type Run = Line & { readonly ids: string };

const plant = 'profiles set plant org=o';
const batch = "--cron '0 0 2 * * ?' --enabled --run-on-startup";

/** Each command with the ids that it prints with -o id. `bare`: the platform answers changes without a body. */
const runs: readonly Run[] = [
  { line: 'orgs users list --limit 3', ids: 'ada\nuser-0001\nuser-0002\n' },
  { line: "orgs users list --name 'nobody at all'", ids: '' },
  { line: 'templates list --limit 2', ids: 'template_001\ntemplate_002\n' },
  { line: 'devices custom-info set press-0001 a=1 --null b', ids: 'press-0001\n' },
  { line: `policies update ${policy} --delay 5m`, ids: `${policy}\n` },
  { line: `policies update ${policy} --delay 5m`, ids: `${policy}\n`, bare: true },
  { line: 'templates update template_001 --name n', ids: 'template_001\n' },
  { line: 'templates update template_001 --name n', ids: 'template_001\n', bare: true },
  { line: 'channels update channel_email --disabled', ids: 'channel_email\n' },
  { line: 'channels update channel_email --disabled', ids: 'channel_email\n', bare: true },
  { line: `batches create --name n ${batch}`, ids: 'batch_001\n' },
  { line: "batches cron '0 0 2 * * ?'", ids: '0 0 2 * * ?\n' },
  { line: `orgs delete ${storage} --org-name Storage`, ids: `${storage}\n` },
  { line: 'credentials list', ids: 'credential_001\n' },
  { line: 'credentials delete credential_001 --yes', ids: 'credential_001\n' },
  { line: 'login', env: ada, ids: 'default\n' },
  { line: 'login m2m', ids: 'default\n' },
  { line: 'login status', ids: 'default\n' },
  { line: 'login status --check', before: 'login m2m', ids: 'default\n' },
  { line: 'login refresh', ids: 'default\n' },
  { line: 'logout', before: 'login m2m', ids: 'default\n' },
  { line: 'logout --all', ids: '' },
  { line: 'profiles list', before: plant, ids: 'plant\n' },
  { line: 'profiles show plant', before: `${plant} protected=true`, ids: 'plant\n' },
  { line: `${plant} protected=true`, ids: 'plant\n' },
  { line: 'profiles use plant', before: plant, ids: 'plant\n' },
  { line: 'profiles delete plant', before: plant, ids: 'plant\n' },
  { line: 'api PUT /platform/solutions/api/v1/devices/press-0001/custom-info --raw-field a=1', ids: '' },
  { line: 'history', before: `policies update ${policy} --delay 1`, ids: expect.stringMatching(/^[0-9a-f]{7}\n$/) },
];

/** The end of a line in a format, by a person of its own. */
async function seen({ line, before, env, bare }: Line, format: string): Promise<Seen> {
  const someone = person({ env, ...(bare && { fetch: respondingWith(204) }) });
  if (before !== undefined) expect((await someone.iiot(wordsOf(before))).exit).toBe(0);
  const result = await someone.iiot([...wordsOf(line), '-o', format]);
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

const named = await loadCommands(groups);
/** The words that name the command. */
const nameOf = (line: string) => {
  const names = named.map(({ name }) => name).filter((name) => `${line} `.startsWith(`${name} `));
  return names.toSorted((a, b) => b.length - a.length)[0]?.split(' ') ?? [];
};

it.each(runs.map((run) => [`iiot ${run.line}${run.bare ? ' (answered 204)' : ''}`, run] as const))(
  '%s has the same result and exit code in every format',
  async (_, run) => {
    const [json, ndjson, yaml, csv, id, table] = await Promise.all(formats.map((format) => seen(run, format)));
    expect([json, ndjson, yaml, csv, id, table].map((end) => end?.exit)).toEqual(formats.map(() => 0));
    // Where a program reads, stderr has nothing but the notice that a list was cut.
    const cut = run.line.includes('--limit') ? /^\d of [\d,]+ \w+\n$/ : /^$/;
    for (const result of [json, ndjson, yaml]) expect(result?.stderr).toMatch(cut);

    const value = JSON.parse(json?.stdout ?? '');
    const items = Array.isArray(value) ? value : [value];
    expect(json?.stdout.endsWith('\n')).toBe(true);
    const lines = ndjson?.stdout.split('\n').slice(0, -1) ?? [];
    expect(lines.map((line) => JSON.parse(line))).toEqual(items);
    expect(parseYaml(yaml?.stdout ?? '')).toEqual(value);
    expect(ajv.validate(await schemaOf(nameOf(run.line)), value), ajv.errorsText()).toBe(true);

    const [header = [], ...cells]: string[][] = parseCsv(csv?.stdout ?? '');
    const cellOf = (field: unknown) =>
      typeof field === 'object' && field !== null ? JSON.stringify(field) : String(field ?? '');
    expect(header.length).toBeGreaterThan(0);
    expect(cells).toEqual(items.map((item) => header.map((field) => cellOf(valueAt(item, field)))));

    expect(id?.stdout).toEqual(run.ids);
    expect(table?.stdout).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]/);
    if (Array.isArray(value)) expect(table?.stdout.split('\n')).toHaveLength(value.length + 1);
    else expect(table?.stdout).toMatch(/^$|\n$/);
  },
);

const twice = `batches create --name twice ${batch}`;
const vic = { ...ada, IIOT_ACCOUNT: 'vic@factory.example', IIOT_PASSWORD: 'battery staple' };

const failing: readonly (Line & { readonly exit: number; readonly code: string })[] = [
  { exit: 2, code: 'usage', line: `policies update ${policy}` },
  { exit: 2, code: 'usage', line: 'orgs users list --role boss' },
  { exit: 3, code: 'unauthenticated', line: 'orgs users list', env: { IIOT_TOKEN: 'wrong' } },
  { exit: 4, code: 'forbidden', line: `orgs delete ${storage} --org-name Storage`, before: 'login', env: vic },
  { exit: 5, code: 'not_found', line: 'templates update template_999 --name x' },
  { exit: 6, code: 'conflict', line: twice, before: twice },
  { exit: 7, code: 'rejected', line: 'templates update template_001 --content {{' },
  { exit: 8, code: 'channel_validation_failed', line: 'channels update channel_unreachable --disabled' },
];

it.each(failing)(
  'iiot $line reports its error as one JSON object for programs, and as lines for persons',
  async ({ exit, code, ...line }) => {
    for (const format of formats) {
      const { stderr, ...rest } = await seen(line, format);
      expect([format, rest]).toEqual([format, { exit, stdout: '' }]);
      if (['json', 'ndjson', 'yaml'].includes(format)) {
        expect(stderr.split('\n')).toHaveLength(2);
        expect(JSON.parse(stderr).error).toMatchObject({ code, message: expect.any(String), hint: expect.any(String) });
      } else {
        // What went wrong, what to do, and the status where a platform answered.
        expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n(HTTP \d{3}( · request [^\n]+)?\n)?$/);
      }
    }
  },
);

it('csv with formulas leads to a warning only for a person who saves it', async () => {
  const warnings = async (isTTY: boolean) => {
    const stderr = Object.assign(new PassThrough(), { isTTY, cursorTo() {}, clearLine() {} });
    const someone = person();
    await someone.iiot([...wordsOf('orgs users list --name HYPER -o csv')], { stderr });
    someone.leave();
    return String(stderr.read() ?? '');
  };
  expect([await warnings(true), await warnings(false)]).toEqual([expect.stringContaining('--for-spreadsheet'), '']);
});

describe('options of the result', () => {
  const someone = personForEach();

  it('--columns chooses and orders fields, and nested ones, of table and csv', async () => {
    const list = (...words: string[]) => someone.iiot(['orgs', 'users', 'list', '--limit', '1', '-q', ...words]);
    expect((await list('--columns', 'email,name')).stdout).toBe('ada@factory.example\tAda Okonkwo\n');
    expect((await list('--columns', 'orgRole,userId', '-o', 'csv')).stdout).toBe('orgRole,userId\r\nadmin,ada\r\n');
    const nested = wordsOf('channels update channel_email --disabled --columns commonSettings.timeout');
    expect((await someone.iiot(nested)).stdout).toBe('commonSettings.timeout\t30\n');
  });

  it('--columns, --for-spreadsheet and --jq are refused before anything is sent', async () => {
    const list = async (...words: string[]) => {
      const { exit, stderr } = await someone.iiot(['orgs', 'users', 'list', ...words]);
      return [exit, stderr.split('\n')[0]];
    };
    expect(await list('--columns', 'name', '-o', 'json')).toEqual([2, expect.stringContaining('not -o json.')]);
    const alone = expect.stringContaining('not --jq alone.');
    expect(await list('--for-spreadsheet', '--jq', '.')).toEqual([2, alone]);
    expect(await list('--jq', '.[')).toEqual([2, expect.stringMatching(/^error: jq cannot read /)]);
    expect(someone.requests).toEqual([]);
    expect(await list('--columns', 'shoeSize')).toEqual([2, expect.stringMatching(/shoeSize/)]);
  });

  it('--jq works whatever IIOT_OUTPUT says', async () => {
    someone.env.IIOT_OUTPUT = 'csv';
    expect((await someone.iiot(['orgs', 'users', 'list', '--limit', '2', '-q', '--jq', 'length'])).stdout).toBe('2\n');
  });
});
