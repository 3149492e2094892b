/** The files of docs/bulk: read strictly, and their commands run as each of the eight machines. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { startServer } from '../../src/sandbox/server.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';

const rows = 80;
/** The ID of the device or policy of each change. */
let changed: string[] = [];

const server = madeForAll(() =>
  startServer({
    devices: rows,
    observe: ({ request }) => {
      if (/^P(UT|ATCH)$/.test(request.method))
        changed.push(/(?<=\/)(press|aaaaaaaa)-[-\d]+/.exec(request.url)?.[0] ?? '');
    },
  }),
);
const home = homeForAll(() => machineOf(server));

const numbers = Array.from({ length: rows }, (_, at) => String(at + 1));
const presses = numbers.map((number) => `press-${number.padStart(4, '0')}`);
const policies = numbers.map((number) => `aaaaaaaa-0000-4000-8000-${number.padStart(12, '0')}`);

/** What the files do as they are, and with another command in them. */
const works = [
  { command: 'devices custom-info import --yes', file: 'fleet.csv', ids: presses, isRepeatable: true },
  { command: 'policies update --yes --rows', file: 'alarms.csv', ids: policies, isRepeatable: false },
] as const;
type Work = (typeof works)[number];

beforeAll(() => {
  const { policies: stored } = server.platform.world;
  const [first] = stored.values();
  if (first) for (const alertPolicyId of policies) stored.set(alertPolicyId, { ...first, alertPolicyId });
});
beforeEach(() => {
  const fleet = ['deviceId,line', ...presses.map((press) => `${press},3`)].join('\n');
  const alarms = ['alertPolicyId,delay', ...policies.map((policy) => `${policy},30`)].join('\n');
  for (const name of ['work', 'import', 'journals']) rmSync(home.at(name), { recursive: true, force: true });
  mkdirSync(home.at('journals'), { mode: 0o700 });
  for (const name of ['work', 'import']) {
    home.file(`${name}/fleet.csv`, fleet);
    home.file(`${name}/alarms.csv`, alarms);
  }
});

/** The file as a value. Throws for a key that is there twice, and for whatever else is doubtful. */
function strictly(name: string): unknown {
  const text = readFileSync(`docs/bulk/${name}`, 'utf8');
  const document = parseDocument(text, { strict: true, uniqueKeys: true, stringKeys: true });
  expect([document.errors, document.warnings]).toEqual([[], []]);
  return document.toJS();
}

/** Runs a line of a shell with those variables, as a machine of its own would. */
function machine(line: string, env: Readonly<Record<string, string>>) {
  return home.run(['sh', '-ec', line], { env: { IIOT_REQUEST_TIMEOUT: '10m', ...env }, cwd: home.at('work') });
}

const parts = [0, 1, 2, 3, 4, 5, 6, 7];

/** Runs a line on all machines, and once more where that is what a job that is retried does. */
async function expectEachRowOnce(
  line: string,
  { ids, file, isRepeatable }: Work,
  envOf: (index: number) => Readonly<Record<string, string>>,
  machines: readonly number[],
) {
  changed = [];
  for (const _run of isRepeatable ? [1] : [1, 2]) {
    const ended = await Promise.all(machines.map((index) => machine(line, envOf(index))));
    expect(ended.filter(({ exit }) => exit !== 0)).toEqual([]);
    expect(changed.toSorted()).toEqual(ids);
  }
  // An import that is done needs no journal; what is not safe to repeat keeps it.
  const journals = ['work', 'import', 'work/journals', 'journals'].flatMap((name) =>
    existsSync(home.at(name))
      ? readdirSync(home.at(name)).filter((each) => !['alarms.csv', 'fleet.csv', 'journals', '.git'].includes(each))
      : [],
  );
  const kept = machines.map((index) => `${file}.${index + 1}-of-${machines.length}.iiot-journal`);
  expect(journals).toEqual(isRepeatable ? [] : kept);
  for (const name of journals)
    for (const place of ['work/journals', 'journals']) rmSync(home.at(place, name), { force: true });
}

describe('an import over machines', () => {
  it.each(works)('runs as a Kubernetes Indexed Job: $command', async (work) => {
    const job = strictly('kubernetes-job.yaml') as Job; // compared whole below
    const { spec } = job;
    const [container] = spec.template.spec.containers;
    const [shell, option, script = ''] = container?.command ?? [];
    const { command: _command, env = [], ...rest } = container ?? { command: [] };
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
              volumeMounts: [
                { name: 'import', mountPath: '/import' },
                { name: 'journals', mountPath: '/journals' },
              ],
            },
          ],
          volumes: [
            { name: 'import', persistentVolumeClaim: { claimName: 'import-fleet' } },
            { name: 'journals', persistentVolumeClaim: { claimName: 'import-journals' } },
          ],
        },
      },
    });
    expect([job.apiVersion, job.kind, shell, option]).toEqual(['batch/v1', 'Job', 'sh', '-c']);
    expect(env).toEqual([
      { name: 'COMMAND', value: works[0].command },
      { name: 'FILE', value: '/import/fleet.csv' },
    ]);
    const here = script.replaceAll(/(?<=["\s])\/(?=import\/|journals\/)/g, `${home.folder}/`);
    const own = { COMMAND: work.command, FILE: home.at('import', work.file) };
    await expectEachRowOnce(here, work, (index) => ({ ...own, JOB_COMPLETION_INDEX: String(index) }), parts);
  });

  it.skipIf(lacks('git')).each(works)('runs as a parallel GitLab job: $command', async (work) => {
    await home.run(['git', 'init', '-q', home.at('work')]);
    const file = strictly('gitlab-ci.yml') as Record<string, GitLabJob>; // compared whole below
    expect(Object.keys(file)).toEqual(['import fleet']);
    const { script = [], ...job } = file['import fleet'] ?? {};
    expect(job).toEqual({
      image: 'node:22',
      parallel: parts.length,
      variables: { COMMAND: works[0].command, FILE: works[0].file, RATE: '25/s' },
      before_script: ['npm install --global --ignore-scripts ./iiot-cli-0.1.0.tgz'],
      retry: 1,
      cache: {
        key: 'import-fleet-$CI_PIPELINE_ID-$CI_NODE_INDEX',
        when: 'always',
        paths: ['journals'],
      },
      artifacts: { when: 'on_failure', paths: ['failed-*.csv'] },
    });
    const env = { CI_NODE_TOTAL: '2', RATE: '25/s', COMMAND: work.command, FILE: work.file };
    await expectEachRowOnce(script.join('\n'), work, (index) => ({ ...env, CI_NODE_INDEX: String(index + 1) }), [0, 1]);
  });

  it.each(works)('runs as a GitHub matrix: $command', async (work) => {
    const file = strictly('github-workflow.yml') as Workflow; // compared in parts below
    expect(Object.keys(file)).toEqual(['name', 'on', 'permissions', 'jobs']);
    const { strategy, env, steps, ...job } = file.jobs.import;
    expect([job, strategy, env]).toEqual([
      { 'runs-on': 'ubuntu-latest' },
      { 'fail-fast': false, matrix: { part: parts.map((index) => index + 1) } },
      {
        COMMAND: works[0].command,
        FILE: works[0].file,
        PART: expect.stringContaining('matrix.part'),
        PARTS: expect.stringContaining('strategy.job-total'),
      },
    ]);
    const known = ['name', 'uses', 'with', 'run', 'env', 'if'];
    expect(steps.flatMap((step) => Object.keys(step)).filter((key) => !known.includes(key))).toEqual([]);
    const line = steps.find(({ name }) => name === 'Import this part')?.run ?? '';
    const own = { COMMAND: work.command, FILE: work.file, PARTS: '2', RUNNER_TEMP: home.at('journals') };
    await expectEachRowOnce(line, work, (index) => ({ ...own, PART: String(index + 1) }), [0, 1]);
  });

  it.skipIf(lacks('git'))('fails in GitLab when a journal came with the checkout', async () => {
    const { script = [] } = (strictly('gitlab-ci.yml') as Record<string, GitLabJob>)['import fleet'] ?? {}; // compared whole above
    home.file('work/journals/fleet.csv.1-of-2.iiot-journal', 'planted');
    await home.run(['sh', '-ec', 'git init -q && git add journals'], { cwd: home.at('work') });
    changed = [];
    const env = { CI_NODE_TOTAL: '2', CI_NODE_INDEX: '1', RATE: '25/s', COMMAND: works[0].command, FILE: 'fleet.csv' };
    expect([(await machine(script.join('\n'), env)).exit, changed]).toEqual([1, []]);
    for (const name of ['journals', '.git']) rmSync(home.at('work', name), { recursive: true });
  });
});

type Job = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly command: readonly string[]; readonly env?: unknown }[];
      };
    };
  };
};

type GitLabJob = { readonly script?: readonly string[] };

type Step = { readonly name?: string; readonly run?: string };

type Workflow = {
  readonly jobs: {
    readonly import: { readonly strategy: unknown; readonly env: unknown; readonly steps: readonly Step[] };
  };
};
