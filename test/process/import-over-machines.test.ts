/** The files of docs/import-over-machines: read strictly, and their commands run as each of the eight machines. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { runProgram } from '../support/program.ts';

const rows = 80;
let puts: string[] = [];

const server = madeForAll(() =>
  startServer({
    devices: rows,
    observe: ({ request }) => {
      if (request.method === 'PUT') puts.push(/press-\d+/.exec(request.url)?.[0] ?? '');
    },
  }),
);
const home = homeForAll(() => machineOf(server));
beforeAll(() => {
  const fleet = `deviceId,line\n${presses()
    .map((press) => `${press},3\n`)
    .join('')}`;
  for (const name of ['work', 'import']) home.file(`${name}/fleet.csv`, fleet);
});

function presses(): string[] {
  return Array.from({ length: rows }, (_, at) => `press-${String(at + 1).padStart(4, '0')}`);
}

/** The file as a value. Throws for a key that is there twice, and for whatever else is doubtful. */
function strictly(name: string): unknown {
  const text = readFileSync(`docs/import-over-machines/${name}`, 'utf8');
  const document = parseDocument(text, { strict: true, uniqueKeys: true, stringKeys: true });
  expect([document.errors, document.warnings]).toEqual([[], []]);
  return document.toJS();
}

/** Runs a line of a shell with those variables, as a machine of its own would. */
function machine(line: string, env: Readonly<Record<string, string>>) {
  return home.run(['sh', '-c', line], { env, cwd: home.at('work') });
}

const parts = [0, 1, 2, 3, 4, 5, 6, 7];

async function expectEachRowOnce(
  line: string,
  envOf: (index: number) => Readonly<Record<string, string>>,
  machines: readonly number[],
) {
  puts = [];
  const ended = await Promise.all(machines.map((index) => machine(line, envOf(index))));
  expect(ended.filter(({ exit }) => exit !== 0)).toEqual([]);
  expect([...puts].sort()).toEqual(presses());
  expect([readdirSync(home.at('work')), readdirSync(home.at('import'))]).toEqual([['fleet.csv'], ['fleet.csv']]);
}

describe('an import over machines', () => {
  it('is a Kubernetes Indexed Job', async () => {
    const job = strictly('kubernetes-job.yaml') as Job; // compared whole below
    const { spec } = job;
    const [container] = spec.template.spec.containers;
    const [shell, option, script = ''] = container?.command ?? [];
    const { command: _command, ...rest } = container ?? { command: [] };
    expect({ ...spec, template: { spec: { ...spec.template.spec, containers: [rest] } } }).toEqual({
      completionMode: 'Indexed',
      completions: parts.length,
      parallelism: parts.length,
      backoffLimitPerIndex: 3,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'import',
              image: 'registry.example/iiot:1',
              envFrom: [{ secretRef: { name: 'iiot' } }],
              volumeMounts: [{ name: 'import', mountPath: '/import' }],
            },
          ],
          volumes: [{ name: 'import', persistentVolumeClaim: { claimName: 'import-fleet' } }],
        },
      },
    });
    expect([job.apiVersion, job.kind, shell, option]).toEqual(['batch/v1', 'Job', 'sh', '-c']);
    const here = script.replaceAll(/(?<=["\s])\/import\//g, `${home.folder}/import/`);
    await expectEachRowOnce(here, (index) => ({ JOB_COMPLETION_INDEX: String(index) }), parts);
  }, 60_000);

  it('is a GitLab job with parallel:', async () => {
    const file = strictly('gitlab-ci.yml') as Record<string, GitLabJob>; // compared whole below
    expect(Object.keys(file)).toEqual(['import fleet']);
    const { script = [], ...job } = file['import fleet'] ?? {};
    expect(job).toEqual({
      image: 'node:22',
      parallel: parts.length,
      variables: { RATE: '25/s' },
      before_script: ['npm install --global --ignore-scripts ./iiot-cli-0.1.0.tgz'],
      retry: 1,
      cache: {
        key: 'import-fleet-$CI_PIPELINE_ID-$CI_NODE_INDEX',
        when: 'always',
        paths: ['fleet.csv.*.iiot-journal'],
      },
      artifacts: { when: 'on_failure', paths: ['failed-*.csv'] },
    });
    const env = { CI_NODE_TOTAL: '2', RATE: '25/s' };
    await expectEachRowOnce(script.join('\n'), (index) => ({ ...env, CI_NODE_INDEX: String(index + 1) }), [0, 1]);
  }, 60_000);

  it('is a GitHub matrix', async () => {
    const file = strictly('github-workflow.yml') as Workflow; // compared in parts below
    expect(Object.keys(file)).toEqual(['name', 'on', 'permissions', 'jobs']);
    const { strategy, env, steps, ...job } = file.jobs.import;
    expect([job, strategy, env]).toEqual([
      { 'runs-on': 'ubuntu-latest' },
      { 'fail-fast': false, matrix: { part: parts.map((index) => index + 1) } },
      { PART: expect.stringContaining('matrix.part'), PARTS: expect.stringContaining('strategy.job-total') },
    ]);
    const known = ['name', 'uses', 'with', 'run', 'env', 'if'];
    expect(steps.flatMap((step) => Object.keys(step)).filter((key) => !known.includes(key))).toEqual([]);
    const line = steps.find(({ name }) => name === 'Import this part')?.run ?? '';
    await expectEachRowOnce(line, (index) => ({ PART: String(index + 1), PARTS: '2' }), [0, 1]);
  }, 60_000);

  it('that is rehearsed leaves nothing beside the file, and goes on inside of the rehearsal', async () => {
    const file = home.file('work/rehearsed.csv', 'deviceId,line\npress-0001,3\nnobody,4\n');
    const once = `iiot devices custom-info import ${file}`;
    const { stdout, exit } = await runProgram([
      'sandbox',
      'exec',
      '--',
      'sh',
      '-c',
      `${once} -q >/dev/null 2>&1; ${once} --resume --jq '.skipped'`,
    ]);
    expect([stdout, exit]).toEqual(['1\n', 9]);
    expect(readdirSync(home.at('work'))).toEqual(['fleet.csv', 'rehearsed.csv']);
  }, 60_000);
});

type Job = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] } };
  };
};

type GitLabJob = { readonly script?: readonly string[] };

type Step = { readonly name?: string; readonly run?: string };

type Workflow = {
  readonly jobs: {
    readonly import: { readonly strategy: unknown; readonly env: unknown; readonly steps: readonly Step[] };
  };
};
