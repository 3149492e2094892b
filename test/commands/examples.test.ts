/** Every example of the help runs as it is written. */
import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { xlsxParts, zipOf } from '../rows/zip.ts';
import { typedIn } from '../support/shell.ts';
import { type Given, person, type Seen } from '../support/world.ts';

const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const sheet = (...rows: readonly string[]) =>
  zipOf(xlsxParts(rows.map((row) => `<row>${row.split(',').map(cell).join('')}</row>`).join('')));
const fleet = 'deviceId,line\npress-0001,3\npress-0002,4\n';

/** What is in the folder where an example runs. */
const files: Readonly<Record<string, string | Buffer>> = {
  'fleet.csv': fleet,
  'alarms.xlsx': sheet('alertPolicyId,delay', 'aaaaaaaa-0000-4000-8000-000000000001,5m'),
  'silent.csv': 'channelId,enabled\nchannel_email,no\nchannel_teams,no\n',
  'tags.ndjson': '{"templateId":"template_001","tags":["day","audit"]}\n',
  'batches.csv': 'name,cron,enabled,run-on-startup\nnightly,0 0 2 * * ?,yes,no\n',
  'gateways.csv': 'name,expires\ngateway-01,90d\ngateway-02,90d\n',
  'old.csv': 'clientCredentialId\ncredential_001\n',
  'snapshot.json': '[]',
  'prod.yaml': 'HALL: North\n',
  'orgs.txt': '11111111-1111-4111-8111-111111111111\n22222222-2222-4222-8222-222222222222\n',
};

/** What has been typed before an example. */
const earlier: readonly (readonly [RegExp, string])[] = [
  [/^iiot (login refresh --profile|profiles delete robot --yes)/, 'login m2m --profile robot'],
  [/^iiot profiles (show robot|delete robot$)/, 'profiles set robot app=console'],
  [/^iiot profiles (use|rename) plant/, 'profiles set plant app=console'],
  [/^iiot profiles rename default/, 'profiles set default app=console'],
  [/^iiot each --profiles/, 'profiles set plant-1 baseUrl=http://127.0.0.1:1'],
  [/^iiot templates (pull templates template|diff|push|preview templates)/, 'templates pull templates'],
  [/^iiot history show/, 'channels update channel_email --disabled'],
];

const noClient = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };

/** The variables and the standard input of an example. */
const given: readonly (readonly [RegExp, Given])[] = [
  [/^iiot login --base-url/, { env: { IIOT_ACCOUNT: 'ada@factory.example', IIOT_PASSWORD: 'correct horse' } }],
  [/^iiot login --account/, { stdin: 'correct horse\n' }],
  [/^iiot login m2m .*-stdin/, { env: noClient, stdin: 'sandbox-secret\n' }],
  [/^iiot login refresh --profile/, { env: noClient }],
  [/^printf/, { stdin: fleet }],
  [/^iiot each --profiles/, { env: { ...noClient, IIOT_BASE_URL: undefined, IIOT_ORG: undefined } }],
];

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
  process.chdir(someone.folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(name, content);
  const seen: (Seen & { readonly words: readonly string[] })[] = [];
  try {
    for (const [of, words] of earlier) if (of.test(line)) expect((await someone.iiot(words.split(' '))).exit).toBe(0);
    const [, circumstances] = given.find(([of]) => of.test(line)) ?? [];
    for (const [program, ...typed] of await typedIn(line)) {
      if (program !== 'iiot') continue;
      const words = typed.includes('--') ? typed.toSpliced(typed.indexOf('--'), 0, ...more) : [...typed, ...more];
      seen.push({ words, ...(await someone.iiot(words, circumstances)) });
    }
  } finally {
    someone.leave();
  }
  return seen;
}

it.each(examples)('an example of the help runs: %s', async (line, name) => {
  // It finds something.
  const ends = line.startsWith('iiot orgs users diff') ? 10 : 0;
  for (const { exit, stderr } of await run(line)) expect({ exit, stderr }, name).toEqual({ exit: ends, stderr });
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
