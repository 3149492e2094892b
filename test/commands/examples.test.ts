/** Every example of the help runs as it is written. */
import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { xlsxParts, zipOf } from '../rows/zip.ts';
import { typedIn } from '../support/shell.ts';
import { person, type Seen } from '../support/world.ts';

type Circumstances = {
  /** What has happened before. */
  readonly before?: readonly (readonly string[])[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** It finds something. */
  readonly ends?: 10;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

const ada = { IIOT_ACCOUNT: 'ada@factory.example', IIOT_PASSWORD: 'correct horse' };
const robotClient = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
const fleet = 'deviceId,line\npress-0001,3\npress-0002,4\n';
const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const sheet = (...rows: readonly string[]) =>
  zipOf(xlsxParts(rows.map((row) => `<row>${row.split(',').map(cell).join('')}</row>`).join('')));
const robot = ['profiles', 'set', 'robot', 'app=console'];
const plant = ['profiles', 'set', 'plant', 'app=console'];
const pulled = ['templates', 'pull', 'templates'];
const assembly = '33333333-3333-4333-8333-333333333333';
const robotLogin = ['login', 'm2m', '--profile', 'robot'];

/** What an example takes for granted. */
const circumstances: Readonly<Record<string, Circumstances>> = {
  'iiot login --base-url https://platform.example --tenant factory --app console': { env: ada },
  'iiot login --account ada@factory.example --password-stdin < password.txt': { stdin: 'correct horse\n' },
  'iiot login m2m --base-url https://platform.example --client-id sandbox-machine': {},
  'iiot login m2m --client-id sandbox-machine --client-secret-stdin < secret.txt --profile robot': {
    env: robotClient,
    stdin: 'sandbox-secret\n',
  },
  'iiot login refresh --profile robot': { before: [robotLogin], env: robotClient },
  'iiot devices custom-info import fleet.csv --dry-run': { files: { 'fleet.csv': fleet } },
  'iiot devices custom-info import fleet.csv --failed-file failed.csv --yes': { files: { 'fleet.csv': fleet } },
  'iiot devices custom-info import fleet.csv --shard 3/8 --yes': { files: { 'fleet.csv': fleet } },
  "printf 'deviceId,line\\npress-0001,3\\n' | iiot devices custom-info import - --format csv --yes": { stdin: fleet },
  'iiot policies update --rows alarms.xlsx --dry-run': {
    files: { 'alarms.xlsx': sheet('alertPolicyId,delay', 'aaaaaaaa-0000-4000-8000-000000000001,5m') },
  },
  'iiot channels update --rows silent.csv --dry-run': {
    files: { 'silent.csv': 'channelId,enabled\nchannel_email,no\nchannel_teams,no\n' },
  },
  'iiot templates update --rows tags.ndjson --dry-run': {
    files: { 'tags.ndjson': '{"templateId":"template_001","tags":["day","audit"]}\n' },
  },
  'iiot batches create --rows batches.csv --dry-run': {
    files: { 'batches.csv': 'name,cron,enabled,run-on-startup\nnightly,0 0 2 * * ?,yes,no\n' },
  },
  'iiot credentials create --rows gateways.csv --secret-dir secrets --yes': {
    files: { 'gateways.csv': 'name,expires\ngateway-01,90d\ngateway-02,90d\n' },
  },
  'iiot credentials delete --rows old.csv --dry-run': {
    files: { 'old.csv': 'clientCredentialId\ncredential_001\n' },
  },
  ...Object.fromEntries(
    ['', ' --role admin', ' -o csv --for-spreadsheet > changes.csv'].map((more) => [
      `iiot orgs users diff snapshot.json${more}`,
      { files: { 'snapshot.json': '[]' }, ends: 10 },
    ]),
  ),
  'iiot templates pull templates template_001 --force': { before: [pulled] },
  'iiot templates diff templates': { before: [pulled] },
  'iiot templates diff templates template_001 -o json': { before: [pulled] },
  'iiot templates push templates --dry-run': { before: [pulled] },
  'iiot templates push templates template_001 --yes': { before: [pulled] },
  'iiot templates push templates --yes': { before: [pulled] },
  [`iiot templates push templates template_001 --org ${assembly} --match name --values prod.yaml --yes`]: {
    before: [pulled],
    files: { 'prod.yaml': 'HALL: North\n' },
  },
  'iiot templates preview templates/template_001-pressure-low.txt --var deviceName="Press 7" --var value=81': {
    before: [pulled],
  },
  'iiot each --orgs-file orgs.txt -- orgs users list --role admin -o csv': {
    files: { 'orgs.txt': '11111111-1111-4111-8111-111111111111\n22222222-2222-4222-8222-222222222222\n' },
  },
  "iiot each --profiles 'plant-*' -- devices custom-info set press-0001 line=3 --dry-run": {
    before: [['profiles', 'set', 'plant-1', 'baseUrl=http://127.0.0.1:1']],
    env: { ...robotClient, IIOT_BASE_URL: undefined, IIOT_ORG: undefined },
  },
  'iiot profiles show robot -o json': { before: [robot] },
  'iiot profiles use plant': { before: [plant] },
  'iiot profiles rename plant plant-berlin': { before: [plant] },
  'iiot profiles rename default plant': { before: [['profiles', 'set', 'default', 'app=console']] },
  'iiot history show': { before: [['channels', 'update', 'channel_email', '--disabled']] },
  'iiot history show --jq .requestId': { before: [['channels', 'update', 'channel_email', '--disabled']] },
  'iiot profiles delete robot': { before: [robot] },
  'iiot profiles delete robot --yes': { before: [robotLogin] },
};

// Files are named as they are in the folder where somebody works.
const before = process.cwd();
afterEach(() => process.chdir(before));

/** Examples that need a process: they start a server, resume a run or open an editor. */
const ofTheirOwn = /^iiot (sandbox|mcp|doctor)\b|--resume|--serve| templates edit /;

/** Examples with a format of their own or without a result. */
const noJson = / -o |--jq|--json|\|| > |--output-file|iiot (completion|each|api (?!PUT))/;

/** Records of the platform, which may have more fields. */
const platforms = /^((policies|templates|channels) update|batches create|(?!profiles )[\w ]+ list|api)$/;

/** The key of a row has the name of the command's argument. */
const keyOfRow = /^\[\]\.(\w+Id|Name)$/;

/** Fields that no example has. */
const elsewhere = /^(credentials \w+ result\.(scopes|deviceIds|clientSecret)|templates preview result\.url)$/;

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const examples = commands
  .flatMap(({ name, examples: all }) => Object.keys(all).map((line) => [line, name] as const))
  .filter(([line]) => !ofTheirOwn.test(line));

/** Runs a line as it is written, with what it takes for granted. */
async function run(line: string, more: readonly string[] = []) {
  const someone = person();
  const { before = [], stdin, env = {}, files = {} } = circumstances[line] ?? {};
  process.chdir(someone.folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(name, content);
  const seen: (Seen & { readonly words: readonly string[] })[] = [];
  try {
    for (const words of before) expect((await someone.iiot(words)).exit).toBe(0);
    for (const [program, ...typed] of await typedIn(line)) {
      if (program !== 'iiot') continue;
      const words = typed.includes('--') ? typed.toSpliced(typed.indexOf('--'), 0, ...more) : [...typed, ...more];
      seen.push({ words, ...(await someone.iiot(words, { env, ...(stdin !== undefined && { stdin }) })) });
    }
  } finally {
    someone.leave();
  }
  return seen;
}

describe('an example of the help', () => {
  it.each(examples)('runs: %s', async (line, name) => {
    const { ends = 0 } = circumstances[line] ?? {};
    for (const { exit, stderr } of await run(line)) expect({ exit, stderr }, name).toEqual({ exit: ends, stderr });
  });
});

type Known = { readonly items?: Known; readonly properties?: Readonly<Record<string, Known>> };

/** The fields of a value that its schema does not have, as paths. A schema without properties takes any. */
function unknownFields({ items, properties }: Known, value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return items ? value.flatMap((each) => unknownFields(items, each, `${path}[]`)) : [];
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const known = properties[name];
    return known ? unknownFields(known, each, `${path}.${name}`) : [`${path}.${name}`];
  });
}

/** The fields of a schema that no value has; those below what is null or empty in all of them cannot tell. */
function missingFields({ items, properties = {} }: Known, values: readonly unknown[], path = ''): readonly string[] {
  const lists = values.filter((each) => Array.isArray(each));
  if (items) return missingFields(items, lists.flat(), `${path}[]`);
  const records = values.filter(
    (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
  ) as object[];
  if (records.length === 0) return [];
  return Object.entries(properties).flatMap(([name, known]) => {
    const having = records.filter((each) => name in each);
    if (having.length === 0) return [`${path}.${name}`];
    return missingFields(
      known,
      having.map((each) => (each as Record<string, unknown>)[name]),
      `${path}.${name}`,
    );
  });
}

describe('the examples with -o json', () => {
  const helper = person();
  afterAll(helper.leave);
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  const withJson = examples.filter(([line]) => !noJson.test(line));

  it.each([...new Set(withJson.map(([, name]) => name))])(
    'of %s have the fields of its results, and no others',
    async (name) => {
      const told = JSON.parse((await helper.iiot(['help', ...name.split(' '), '-o', 'json'])).stdout);
      const found = new Map<string, unknown[]>();
      for (const [line] of withJson.filter(([, own]) => own === name)) {
        for (const { words, stdout, stderr } of await run(line, ['-o', 'json', '-q'])) {
          const isDry = words.includes('--dry-run');
          const isOfRows = words.includes('--rows');
          const kind = `${isOfRows ? 'rows' : ''}${isDry ? 'DryRun' : ''}Result`;
          const of = kind.charAt(0).toLowerCase() + kind.slice(1);
          const value = JSON.parse(stdout);
          const validate = ajv.compile(told[of]);
          validate(value);
          const isOurs = isDry || isOfRows || !platforms.test(name);
          const unknown = isOurs ? new Set(unknownFields(told[of], value).filter((path) => !keyOfRow.test(path))) : [];
          expect({ line, wrong: validate.errors, unknown: [...unknown] }, stderr).toEqual({
            line,
            wrong: null,
            unknown: [],
          });
          if (isOurs) found.set(of, [...(found.get(of) ?? []), value]);
        }
      }
      const missing = [...found].flatMap(([of, values]) => missingFields(told[of], values).map((path) => of + path));
      expect(missing.filter((path) => !elsewhere.test(`${name} ${path}`))).toEqual([]);
    },
  );
});
