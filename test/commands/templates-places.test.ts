/** A folder of templates, and a place that is not its own: another path of one host, another tenant of one base URL. */
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { printedLine } from '../support/printed.ts';
import { failed, inBrief, worked } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

const host = 'https://platform.example';
const tenantIds = { acme: 'aaaaaaaa-0000-4000-8000-000000000001', globex: 'bbbbbbbb-0000-4000-8000-000000000002' };
type Tenant = keyof typeof tenantIds;
const org = ids.root;
const templateId = 'template_001';

const newPerson = personsForEach();
const folder = folderForEach();
let someone: Person;
let dir: string;
/** What each place has, by "/prod acme": all IDs are the same in all of them. */
let worlds: Map<string, { content: string; subject: string }>;
let patched: string[];

/** Two platforms behind one host, each with two tenants; a token names its place. */
const platform: Fetch = async (url, { method, headers, body }) => {
  const { pathname } = new URL(url);
  const [, prefix = '', path] = /^(\/\w+)?(\/api\/.*)$/.exec(pathname) ?? [];
  if (pathname.endsWith('/connect/token')) return Response.json({ access_token: `h.${claims}.s`, expires_in: 3600 });
  const token = String(new Headers(headers as Record<string, string>).get('authorization')).replace('Bearer ', '');
  const place = token.startsWith('/') || token.startsWith(' ') ? token : `${prefix} acme`;
  const world = worlds.get(place) ?? { content: 'Hello', subject: 'S' };
  worlds.set(place, world);
  if (!place.startsWith(`${prefix} `)) return new Response('', { status: 401 });
  if (method === 'GET' && path === `/api/v1/orgs/${org}/notifications/templates`)
    return Response.json({ items: [{ templateId, name: 'Pressure', ...world }], totalCount: 1 });
  if (method !== 'PATCH' || path !== `/api/v1/orgs/${org}/notifications/templates/${templateId}`)
    throw new Error(`Unexpected ${method} ${url}`);
  patched.push(place);
  Object.assign(world, JSON.parse(String(body)));
  return Response.json({ templateId, name: 'Pressure', ...world });
};
const claims = Buffer.from(JSON.stringify({ client_id: 'robot', tenantid: tenantIds.globex })).toString('base64url');

/** Profiles that are logged in as persons: staging and prod to tenant acme, globex to the other tenant of prod. */
const logins = {
  staging: ['/staging', 'acme'],
  prod: ['/prod', 'acme'],
  globex: ['/prod', 'globex'],
  root: ['', 'acme'],
};

beforeEach(() => {
  someone = newPerson({ fetch: platform });
  for (const name of Object.keys(someone.env)) if (/^IIOT_(?!CONFIG_DIR)/.test(name)) someone.env[name] = undefined;
  const profiles = Object.entries(logins).map(([name, [prefix]]) => [name, { baseUrl: host + prefix, org }]);
  const kept = Object.entries(logins).map(([name, [prefix, tenant]]) => {
    const who = { tenant, tenantId: tenantIds[tenant as Tenant], app: 'app', account: `ada@${tenant}.example` };
    return [name, { flow: 'user', base: host + prefix, origin: host, ...who, accessToken: `${prefix} ${tenant}` }];
  });
  someone.file('config.json', JSON.stringify({ version: 1, profiles: Object.fromEntries(profiles) }));
  someone.file('credentials.json', JSON.stringify({ version: 1, logins: Object.fromEntries(kept) }));
  chmodSync(join(someone.folder, 'credentials.json'), 0o600);
  dir = folder.at('templates');
  [worlds, patched] = [new Map(), []];
});

const run = (verb: string, profile: string, ...words: string[]) =>
  someone.iiot(['templates', verb, dir, '--profile', profile, ...words]);
const record = (name = 'templates.json') => readFileSync(join(dir, '.iiot', name), 'utf8');
const records = () => readdirSync(join(dir, '.iiot')).filter((name) => !/^(pushed-|\.gitignore)/.test(name));
const others = () => records().filter((name) => name !== 'templates.json');
const file = () => join(dir, 'template_001-pressure.txt');
const write = (content: string) =>
  writeFileSync(file(), readFileSync(file(), 'utf8').replace(/\n---\n.*$/s, `\n---\n${content}`));
/** What an earlier version has written: of the platform, its origin. */
const age = () =>
  writeFileSync(join(dir, '.iiot/templates.json'), record().replace(/"(base|tenant|tenantId)": .*\n/g, ''));
/** A machine whose token does not tell its tenant. */
const opaque = { IIOT_TOKEN: 'opaque' };
const where = (prefix: string, tenant: Tenant) => `${host}${prefix}, tenant ${tenant}`;
const as = (prefix: string, tenant: Tenant) => `${where(prefix, tenant)}, as ada@${tenant}.example`;

describe.each([
  ['another path of the same host', 'staging', 'prod', '/staging', '/prod', 'acme'],
  ['another tenant of the same base URL', 'prod', 'globex', '/prod', '/prod', 'globex'],
] as const)('a folder of templates in %s', (_, home, there, from, to, tenant) => {
  const sentence = () =>
    `error: The templates in ${dir} were pulled from ${where(from, 'acme')}, but this is ${as(to, tenant)}.`;
  const way = `hint: Add --profile ${home}, or`;
  beforeEach(async () => {
    await run('pull', home);
    write('Changed');
  });

  it('is refused by pull and push, and both places are named', async () => {
    expect(await run('pull', there)).toEqual(failed(2, sentence(), `${way} another folder, or --force`));
    expect(await inBrief(run('push', there, '--yes'))).toEqual(failed(2, sentence()));
    const other = `${way} another folder, or find its templates with --match name`;
    expect(await run('push', there, '--org', ids.withDevices)).toEqual(failed(2, sentence(), other));
    expect([patched, someone.sent.length]).toEqual([[], 1]);
    expect((await run('diff', there)).stdout).toContain('\n+Changed\n');
  });

  it('gets a record of its own by push --force', async () => {
    const before = record();
    expect((await run('push', there, '--yes', '--force')).exit).toBe(0);
    expect([patched, record(), others().length]).toEqual([[`${to} ${tenant}`], before, 1]);
    expect(JSON.parse(record(others()[0]))).toMatchObject({ base: host + to, tenantId: tenantIds[tenant] });
    expect((await run('push', home, '--yes')).exit).toBe(0);
    expect((await run('pull', home)).stderr).toBe('Up to date.\n');
    write('Again');
    expect((await run('push', there, '--yes')).exit).toBe(0);
    expect(patched).toEqual([`${to} ${tenant}`, `${from} acme`, `${to} ${tenant}`]);
  });

  it('goes to an organization with the same ID by --match name', async () => {
    expect((await run('push', there, '--match', 'name', '--yes', '--force')).exit).toBe(0);
    expect((await run('diff', there, '--match', 'name')).exit).toBe(0);
    expect(patched).toEqual([`${to} ${tenant}`]);
    expect(await inBrief(run('push', home, '--match', 'name', '--yes'))).toEqual(
      failed(2, `error: The templates in ${dir} belong to organization ${org} itself.`),
    );
  });

  it('belongs to that place after pull --force', async () => {
    expect((await run('pull', there, '--force')).exit).toBe(0);
    expect(JSON.parse(record())).toMatchObject({ base: host + to, tenant, tenantId: tenantIds[tenant] });
    expect(await run('pull', there)).toEqual(worked('', 'Up to date.'));
  });
});

it('a place without a profile is named, but not put into a command', async () => {
  await run('pull', 'prod');
  writeFileSync(join(dir, '.iiot/templates.json'), record().replaceAll(host, 'https://evil.example'));
  const [error, hint] = (await run('push', 'prod', '--yes')).stderr.split('\n');
  expect(error).toContain('https://evil.example/prod, tenant acme, but this is ');
  expect(hint).toBe('hint: Log in there with a profile of its own, or push them here with --force');
});

describe('a record of an earlier version, with only the origin of the platform', () => {
  it('is accepted for a platform without a path, and completed by the next push', async () => {
    await run('pull', 'root');
    age();
    expect(await run('push', 'root', '--yes')).toEqual(worked('', 'Up to date.'));
    expect(JSON.parse(record()).base).toBeUndefined();
    write('Changed');
    expect((await run('push', 'root', '--yes')).stderr).not.toContain('tells');
    expect(JSON.parse(record())).toMatchObject({ base: host, tenantId: tenantIds.acme });
  });

  it('is refused for a platform with a path until --force is given', async () => {
    await run('pull', 'prod');
    age();
    write('Changed');
    const sentence = `error: The templates in ${dir} may have been pulled from another platform at ${host}, but this is ${as('/prod', 'acme')}.`;
    for (const words of [['pull'], ['push', '--yes']])
      expect(await inBrief(run(words[0] ?? '', 'prod', ...words.slice(1)))).toEqual(failed(2, sentence));
    const before = worlds.get('/prod acme');
    Object.assign(before ?? {}, { content: 'Theirs' });
    expect((await run('diff', 'prod')).stderr).toContain('was changed here');
    Object.assign(before ?? {}, { content: 'Hello' });
    expect((await run('push', 'prod', '--yes', '--force')).exit).toBe(0);
    expect([others(), JSON.parse(record())]).toMatchObject([[], { base: `${host}/prod`, tenant: 'acme' }]);
    expect(await run('pull', 'prod')).toEqual(worked('', 'Up to date.'));
  });
});

describe('an unknown tenant', () => {
  const assumed = (tenant = ', tenant acme') =>
    `Nothing tells whether this is the tenant of the templates in ${dir}: ${host}/prod${tenant}. It is assumed.\n`;

  it('is assumed with a note, and the recorded tenant stays', async () => {
    await run('pull', 'prod');
    const { base, tenant, tenantId } = JSON.parse(record());
    write('Changed');
    const machine = await someone.iiot(['templates', 'push', dir, '--profile', 'prod', '--yes'], { env: opaque });
    expect(machine).toMatchObject({ exit: 0, stderr: expect.stringContaining(assumed()) });
    expect(JSON.parse(record())).toMatchObject({ base, tenant, tenantId });
  });

  it('is noted until the record has it', async () => {
    await someone.iiot(['templates', 'pull', dir, '--profile', 'prod'], { env: opaque });
    expect(JSON.parse(record())).toMatchObject({ base: `${host}/prod` });
    expect((await run('pull', 'prod')).stderr).toBe(`${assumed('')}Up to date.\n`);
    expect((await run('pull', 'prod')).stderr).toBe('Up to date.\n');
  });

  it('is not noted if neither the record nor the token has one', async () => {
    const pull = () => someone.iiot(['templates', 'pull', dir, '--profile', 'prod'], { env: opaque });
    for (const stderr of ['1 template: 1 created.\n', 'Up to date.\n']) expect((await pull()).stderr).toBe(stderr);
  });

  it('is read from a new token before a folder of another tenant is sent', async () => {
    await run('pull', 'prod');
    write('Changed');
    const env = { IIOT_CLIENT_ID: 'robot', IIOT_CLIENT_SECRET: 'secret' };
    const { exit, stderr } = await someone.iiot(['templates', 'push', dir, '--profile', 'prod', '--yes'], { env });
    const but = `${where('/prod', 'acme')}, but this is ${host}/prod, tenant ${tenantIds.globex}, as robot.\n`;
    expect([exit, stderr, patched]).toEqual([2, expect.stringContaining(but), []]);
  });
});

it('a template with the name of an option follows -- in a printed command', async () => {
  await run('pull', 'prod');
  write('Changed');
  writeFileSync(file(), readFileSync(file(), 'utf8').replace(`templateId: ${templateId}`, 'templateId: "--force"'));
  writeFileSync(join(dir, 'other.md'), '---\ntemplateId: other\nname: Other\n---\nOther');
  const { stderr } = await run('push', 'staging', '--match', 'name', '--force', '--yes');
  const line = `iiot templates push --profile staging --match name -- ${dir} --force`;
  expect(stderr).toContain(`Send the others: ${line}\n`);
  rmSync(join(dir, 'other.md'));
  // As an option, it would push without asking.
  expect((await someone.iiot(printedLine(stderr))).stderr).toContain(' were pulled from ');
  expect(patched).toEqual([]);
});
