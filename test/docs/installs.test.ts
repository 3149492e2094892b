/** Nothing in the documents installs a name that somebody else may register, or shows a secret to more than the step that needs it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const files = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|ya?ml|sh)$/.test(name))
    .map((name) => `docs/${name}`),
].map((name) => ({ name, text: readFileSync(name, 'utf8') }));

/** Commands that get packages by name from a registry. */
const installers =
  /(?<![\w./-])(?:(?:npm|pnpm|bun) +(?:install|i|add|exec|x|dlx|update)|(?:npm|pnpm) +create|npx|pnpx|bunx|yarn +(?:global +)?(?:add|dlx)|(?:pip3?|pipx|uv +pip|cargo|gem|go|brew|choco|winget|scoop) +install|uvx)(?= |$)(.*)/gm;

/** What such a command takes from elsewhere than a folder, a file, an address of its own or a registry of its own. */
function foreignNames(text: string): string[] {
  return [...text.matchAll(installers)].flatMap(([line, rest = '']) => {
    const [words = ''] = rest.split(/[`'"]|&&|\|\||[;|#]/);
    if (/--registry[= ]https?:\/\/(?!registry\.(npmjs|yarnpkg))/.test(words)) return [];
    const given = words.replace(/ --(prefix|cwd|loglevel|omit)[= ]\S+/g, '').split(' ');
    const foreign = given.filter((word) => word !== '' && !/^(-|\.\.?(\/|$)|\/|file:|https:)/.test(word));
    return foreign.length > 0 ? [line.trim()] : [];
  });
}

type Step = { readonly run?: string; readonly uses?: string; readonly env?: Environment };
type Environment = Readonly<Record<string, string>>;
type Job = { readonly env?: Environment; readonly steps: readonly Step[] };
type Workflow = { readonly env?: Environment; readonly jobs: Readonly<Record<string, Job>> };
type Lines = readonly string[];
type GitLabJob = { script?: Lines; before_script?: Lines; variables?: Environment; cache?: { key: string } };

/** The YAML of a document's blocks, or of a file. */
const yamlOf = ({ name, text }: { name: string; text: string }): readonly unknown[] =>
  /\.ya?ml$/.test(name)
    ? [parse(text)]
    : [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
        .filter(([, block = '']) => !block.startsWith('---'))
        .map(([, block = '']) => parse(block));

/** Parts of jobs, which install nothing and hold no secret (test/process/services.test.ts). */
const partial = 'docs/rehearsing.md';
const documents = files
  .filter(({ name }) => name !== partial)
  .flatMap((file) => yamlOf(file).map((value) => ({ name: file.name, value })));
const isWorkflow = (value: unknown): value is Workflow => Object.hasOwn(Object(value), 'jobs');
const isKubernetes = (value: unknown) => Object.hasOwn(Object(value), 'apiVersion');
/** What templates get from --values. */
const isValues = (value: unknown) => Object.values(Object(value)).every((each) => typeof each !== 'object');
const workflows = documents.flatMap(({ name, value }) => (isWorkflow(value) ? [{ name, workflow: value }] : []));
const gitLabFiles = documents.flatMap(({ name, value }) =>
  isWorkflow(value) || isKubernetes(value) || isValues(value)
    ? []
    : [{ name, jobs: Object.values(value as Record<string, GitLabJob>) }],
);

const secret = /\$\{\{\s*secrets\.|SECRET|TOKEN|PASSWORD/;
const holdsSecret = (env: Environment = {}) => secret.test(JSON.stringify(env));

/** Where a workflow shows a secret to what does not need it. */
function widelySeen({ env, jobs }: Workflow): string[] {
  return [
    ...(holdsSecret(env) ? ['the workflow'] : []),
    ...Object.entries(jobs).flatMap(([name, job]) => [
      ...(holdsSecret(job.env) ? [`job ${name}`] : []),
      ...job.steps
        .filter((step) => holdsSecret(step.env) && !/^(iiot|sh templates\.sh) /.test(step.run ?? ''))
        .map((step) => `${name}: ${step.run ?? step.uses}`),
    ]),
  ];
}

/** The variables that a step reads and nobody sets. */
function unset(line: string, ...set: readonly (Environment | undefined)[]): string[] {
  const known = new Set(set.flatMap((env) => Object.keys(env ?? {})));
  return [...line.matchAll(/\$\{?([A-Z][A-Z_]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !known.has(name) && !/^(CI|GITHUB|RUNNER|IIOT)_/.test(name));
}

describe('the documents', () => {
  it.each(files)('$name installs nothing by name from a public registry', ({ text }) => {
    expect(foreignNames(text)).toEqual([]);
  });

  it('install the tarball of this version', () => {
    const tarballs = files
      .filter(({ name }) => name !== 'CHANGELOG.md')
      .flatMap(({ text }) => text.match(/\S*iiot-cli-[\d.]+\.tgz/g) ?? []);
    expect(tarballs.length).toBeGreaterThan(6);
    expect([...new Set(tarballs)]).toEqual([`./iiot-cli-${version}.tgz`]);
  });

  it('a line that installs a name from a public registry is recognized', () => {
    const foreign = `      - run: npm i -g iiot-cli@0.1.0
\`npx iiot-cli orgs users list\`
sh "yarn global add iiot-cli"
npm install --registry https://registry.npmjs.org iiot-cli
npm ci && npm install some-package`;
    const own = `npm install --global --prefix .iiot ./iiot-cli-0.1.0.tgz
npm ci && npm run tour
npm install --registry https://npm.factory.example iiot-cli`;
    expect(foreign.split('\n').filter((line) => foreignNames(line).length !== 1)).toEqual([]);
    expect(own.split('\n').flatMap(foreignNames)).toEqual([]);
  });
});

describe('the jobs of the documents', () => {
  it('are four for GitHub and four for GitLab', () => {
    const both = ['docs/access-review.md', 'docs/templates-as-code.md'];
    const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).sort();
    expect(names(workflows)).toEqual(['README.md', ...both, 'docs/bulk/github-workflow.yml'].sort());
    expect(names(gitLabFiles)).toEqual([...both, 'docs/bulk/gitlab-ci.yml', 'docs/ci.md'].sort());
  });

  it.each(workflows)('in $name show a secret only to the step that needs it', ({ workflow }) => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    expect(steps.filter(({ env }) => holdsSecret(env)).length).toBeGreaterThan(0);
    expect(widelySeen(workflow)).toEqual([]);
  });

  it.each(workflows)('in $name check out the repository and set every variable they read', ({ workflow }) => {
    for (const job of Object.values(workflow.jobs)) {
      expect(job.steps[0]?.uses).toMatch(/^actions\/checkout@/);
      expect(job.steps.flatMap(({ run = '', env }) => unset(run, workflow.env, job.env, env))).toEqual([]);
    }
  });

  it.each(gitLabFiles)('in $name install the tarball without running its scripts', ({ jobs }) => {
    const lines = jobs.flatMap((job) => [...(job.before_script ?? []), ...(job.script ?? [])]);
    const installing = lines.filter((line) => line.startsWith('npm install'));
    expect(installing).toEqual([`npm install --global --ignore-scripts ./iiot-cli-${version}.tgz`]);
    expect(jobs.filter(({ variables }) => holdsSecret(variables))).toEqual([]);
    expect(jobs.flatMap(({ script = [], variables }) => script.flatMap((line) => unset(line, variables)))).toEqual([]);
    const keys = jobs.flatMap(({ cache }) => (cache ? [cache.key] : []));
    expect(keys.filter((key) => !key.includes('$CI_PIPELINE_ID'))).toEqual([]);
  });

  it('give the credential in Jenkins to one stage that installs nothing', () => {
    const [, block = ''] = /```groovy\n([\s\S]*?)```/.exec(readFileSync('docs/ci.md', 'utf8')) ?? [];
    const [before = '', ...stages] = block.split(/^ {4}stage\(/m);
    expect(stages.map((stage) => [/^'(\w+)'/.exec(stage)?.[1], /credentials\(|_PSW/.test(stage)])).toEqual([
      ['Install', false],
      ['Users', true],
    ]);
    expect([before.includes('credentials('), stages[1]?.includes('npm')]).toEqual([false, false]);
  });

  it('use no ConfigMap in Kubernetes', () => {
    expect(readFileSync('docs/bulk/kubernetes-job.yaml', 'utf8')).not.toMatch(/configMap:|configmap /);
  });

  it.each([
    ['the workflow', { env: { IIOT_CLIENT_SECRET: '${{ secrets.A }}' }, jobs: { users: { steps: [] } } }],
    ['job users', { jobs: { users: { env: { KEY: '${{ secrets.KEY }}' }, steps: [] } } }],
    [
      'users: npm install --global .',
      { jobs: { users: { steps: [{ run: 'npm install --global .', env: { A: '${{secrets.A}}' } }] } } },
    ],
  ])('are reported if they show a secret to %s', (place, workflow) => {
    expect(widelySeen(workflow)).toEqual([place]);
  });
});
