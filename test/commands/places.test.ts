/** Whatever is kept acts in the place that it was kept for, or is refused with both places named; nothing is sent anywhere else. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Administrator, type Env, openAdministrator } from '../support/administrator.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { printedLine } from '../support/printed.ts';
import { always, rawServer } from '../support/raw-server.ts';
import { org, tenantIds, tenantOf, type Where } from '../support/tenants.ts';
import type { Seen } from '../support/world.ts';

const [acme, globex, staging] = ['/prod acme', '/prod globex', '/staging acme'] as const;
const admin = madeForEach(() => openAdministrator());
const keep = closedAfterEach();
const went = () => admin.tenants.went();
const done = { exit: 0 };

type Place = Where | 'localhost';
type Both = readonly [Place, Place];
const [tenants, platforms] = [[acme, globex] as const, [acme, staging] as const];

/** What tells one place from another in the words for a person. */
function told(where: Place, other: Place): RegExp {
  const [base, otherBase] = [where, other].map((each) => (each === 'localhost' ? each : admin.tenants.baseOf(each)));
  if (where === 'localhost') return /http:\/\/localhost:\d+\/prod\b/;
  const tenant = tenantOf(where);
  return new RegExp(base === otherBase ? `tenant ${tenant}|${tenantIds[tenant]}|client-prod-${tenant}-` : `${base}\\b`);
}

function expectRefused({ exit, stderr }: Seen, [one, other]: Both): void {
  const error = stderr.split('\n').find((line) => line.startsWith('error: ')) ?? stderr;
  const seen = { went: went(), isRefused: exit === 2 || exit === 3, error };
  expect(seen).toEqual({ went: [], isRefused: true, error: expect.stringMatching(told(one, other)) });
  expect(error).toMatch(told(other, one));
}

type Way = {
  readonly from?: string;
  readonly to: string;
  readonly env?: () => Env;
  readonly meanwhile?: () => unknown;
  readonly places: Both;
};
const tokenOf = (where: Where) => ({ IIOT_TOKEN: admin.tenants.token(where, 'ada@x.test') });
const globot = { IIOT_CLIENT_ID: 'client-prod-globex-1', IIOT_CLIENT_SECRET: 'secret-prod-globex-1x' };
const elsewhere = () => ({ IIOT_BASE_URL: admin.tenants.baseOf(staging) });
const setTo = (pair: string) => () => admin.run(`profiles set ada ${pair}`);

/** The login itself is for another place. */
const loginWays: Readonly<Record<string, Way>> = {
  '--base-url': { to: 'ada --base-url STAGING', places: platforms },
  IIOT_BASE_URL: { to: 'ada', env: elsewhere, places: platforms },
  'profiles set baseUrl': { to: 'ada', meanwhile: setTo('baseUrl=STAGING'), places: platforms },
  'profiles set tenant': { to: 'ada', meanwhile: setTo('tenant=globex'), places: tenants },
  IIOT_TENANT: { to: 'ada', env: () => ({ IIOT_TENANT: 'globex' }), places: tenants },
};
/** The same, by hand. */
const ownHand: Readonly<Record<string, Way>> = {
  'baseUrl changed by hand': {
    to: 'ada',
    meanwhile: () => admin.set('ada', { baseUrl: 'STAGING' }),
    places: platforms,
  },
  'a login copied by hand': {
    to: 'staging',
    meanwhile: () =>
      admin.me.file('credentials.json', JSON.stringify({ logins: { ...admin.logins(), staging: admin.logins().ada } })),
    places: platforms,
  },
};
/** Another login goes on with what was begun. */
const recordWays: Readonly<Record<string, Way>> = {
  'the profile of another tenant': { to: 'globex', places: tenants },
  'the machine of another tenant': { from: 'robot', to: 'globot', places: tenants },
  'the profile of another platform': { to: 'staging', places: platforms },
  'the machine of another platform': { from: 'robot', to: 'stagbot', places: platforms },
  'its profile, now of another tenant': { to: 'ada', meanwhile: () => admin.login('ada', globex), places: tenants },
  'its profile, now of another platform': {
    to: 'ada',
    meanwhile: () => admin.login('ada', staging),
    places: platforms,
  },
  'IIOT_TOKEN of another tenant': { to: 'ada', env: () => ({ ...tokenOf(globex), IIOT_ORG: org }), places: tenants },
  'IIOT_CLIENT_ID of another tenant': {
    from: 'robot',
    to: 'robot',
    env: () => globot,
    // Its token says the tenant.
    meanwhile: () => admin.run('credentials list', { env: globot }),
    places: tenants,
  },
};

/** A line, the one that goes on with it, and the files that it leaves. */
type Begun = { readonly begin: string; readonly on: string; readonly kept: readonly string[] };
const push = { begin: 'templates pull {}/t', on: 'templates push {}/t --yes', kept: ['t/.iiot/templates.json'] };
const edit = { begin: 'templates edit template_001', on: 'templates push KEPT --yes', kept: [] } as const;
const rowsOf = (begin: string, ...kept: readonly string[]): Begun => ({ begin, on: `${begin} --resume`, kept });
const [importing, failed] = ['devices custom-info import {}/d.csv --yes --failed-file {}/failed.csv', 'failed.csv'];
const rows: Readonly<Record<string, Begun>> = {
  'devices custom-info import --resume': rowsOf(importing, 'd.csv.iiot-journal', failed),
  'batches create --rows --resume': rowsOf('batches create --rows {}/b.csv --yes', 'b.csv.iiot-journal'),
  'credentials delete --rows --resume': rowsOf('credentials delete --rows {}/c.csv --yes', 'c.csv.iiot-journal'),
};
const begun = Object.entries({ ...rows, 'templates push': push, 'templates push of a kept text': edit });

/** Begins something, and goes on with it in another way. */
async function goneOn({ begin, on, kept }: Begun, way: Omit<Way, 'places'>, by: Administrator = admin): Promise<Seen> {
  const { from = 'ada', to, env, meanwhile } = way;
  const isEdit = begin === edit.begin;
  const changing = { env: { EDITOR: 'sed -i s/Hello/Hi/' }, typed: 'n\n' };
  const first = await by.run(`${begin} --profile ${from}`, isEdit ? changing : {});
  expect(first.exit, first.stderr).toBe(isEdit ? 130 : begin === push.begin ? 0 : 9);
  if (meanwhile) expect(await meanwhile()).toMatchObject(done);
  const text = 't/template_001-pressure.txt';
  if (on.includes(' push {}')) writeFileSync(by.at(text), by.read(text).replace('Hello', 'Hi'));
  const before = kept.map(by.read);
  const line = on.replace('KEPT', /kept in (\S+)\//.exec(first.stderr)?.[1] ?? '');
  const seen = await by.fresh(`${line} --profile ${to}`, { env: env?.() });
  if (by.tenants.went().length === 0) expect(kept.map(by.read)).toEqual(before);
  return seen;
}

describe.each(begun)('work begun in one place and continued by iiot %s', (_, work) => {
  for (const [name, way] of Object.entries({ ...recordWays, ...loginWays }))
    it(`is refused in another place: ${name}`, async () => expectRefused(await goneOn(work, way), way.places));

  it.each(['bob', 'robot'])('continues with profile %s, another login of the same tenant', async (to) => {
    const { exit, stderr } = await goneOn(work, { to });
    expect({ isDone: [0, 9].includes(exit), went: went() }, stderr).toEqual({ isDone: true, went: [acme] });
  });

  it('is refused under another host name of the same platform', async () => {
    const to = `ada --base-url ${admin.whole('PROD').replace('127.0.0.1', 'localhost')}`;
    expectRefused(await goneOn(work, { to, env: () => tokenOf(acme) }), [acme, 'localhost']);
  });
});

it('the printed command continues a kept text in its own place, whatever IIOT_PROFILE names', async () => {
  const given = { env: { IIOT_PROFILE: 'ada', EDITOR: 'sed -i s/Hello/Hi/' }, typed: 'n\n' };
  const line = printedLine((await admin.run(edit.begin, given)).stderr).join(' ');
  await admin.fresh(line, { env: { IIOT_PROFILE: 'staging' }, typed: 'y\n' });
  expect(went()).toEqual([acme]);
});

it('a push to another platform is not advised to leave out --match name', async () => {
  const byName = { ...push, on: 'templates push {}/t --match name --yes' };
  expect((await goneOn(byName, { to: 'staging' })).stderr).not.toContain('Leave out --match');
});

describe('work on a platform whose tokens name no tenant', () => {
  const opaque = madeForEach(() => openAdministrator({ claims: false }));
  it.each(Object.values(rows))('is refused with another client, and the error names both: iiot $on', async (work) => {
    for (const [from, to, began] of [
      ['robot', 'globot', 'client-prod-acme-1'],
      ['ada', 'robot', 'tenant acme, as ada@x.test'],
    ] as const) {
      const { exit, stderr } = await goneOn(work, { from, to }, opaque);
      expect({ exit, went: opaque.tenants.went() }).toEqual({ exit: 2, went: [] });
      const client = to === 'robot' ? 'client-prod-acme-1' : 'client-prod-globex-1';
      expect(stderr).toMatch(new RegExp(`${began}; this one is at .*, as ${client}, and iiot cannot tell`));
      for (const name of work.kept) rmSync(opaque.at(name));
    }
  });

  it.each([
    ['the successor of its client', 'rotate credential_001 --yes', 'robot'],
    ['a client that its own client has created', 'create --name child --save-profile child', 'child'],
  ])('continues with %s', async (_, line, to) => {
    const meanwhile = () => opaque.run(`credentials ${line} --profile robot`);
    expect((await goneOn(rowsOf(importing), { from: 'robot', to, meanwhile }, opaque)).exit).toBe(9);
    expect(opaque.tenants.went()).toEqual([acme]);
  });

  it('continues with a token that names nobody, and a note says so', async () => {
    const env = () => ({ IIOT_TOKEN: opaque.tenants.token(acme, 'ada@x.test') });
    const { exit, stderr } = await goneOn(rowsOf(importing), { to: 'ada', env }, opaque);
    expect({ exit, went: opaque.tenants.went() }).toEqual({ exit: 9, went: [acme] });
    expect(stderr).toMatch(
      /tenant acme, as ada@x.test. It is continued, though nothing tells whether that was this tenant/,
    );
  });
});

describe('a login', () => {
  const lines = [
    ...['orgs users list', 'devices custom-info set d a=1', 'login token', 'login refresh', 'login status --check'],
    ...['api GET /api/v1/oauth2/client-credentials', 'credentials rotate credential_001 --yes'],
  ];

  const ways = Object.entries({ ...loginWays, ...ownHand });
  it.each(ways)('is not used in another place: %s', async (_, { to, env, meanwhile, places }) => {
    await meanwhile?.();
    for (const line of lines) expectRefused(await admin.run(`${line} --profile ${to}`, { env: env?.() }), places);
    await admin.run(`__complete fish credentials delete --profile ${to} `, { env: env?.() });
    expect(went()).toEqual([]);
  });

  it('is not used after its profile is set to another account', async () => {
    await admin.run('profiles set ada account=bob@x.test');
    const { exit, stderr } = await admin.run('orgs users list');
    expect([exit, went(), stderr]).toEqual([3, [], expect.stringMatching(/as ada@x.test, and not for bob@x.test/)]);
  });

  it.each([
    ['profiles set ada tenant=globex', /acme/],
    [
      'login status --base-url STAGING',
      /Log in there with a separate profile: iiot login --profile NAME --base-url http\S+\/staging/,
    ],
    ['doctor --base-url STAGING', /--profile NAME/],
  ] as const)('of another place is explained by iiot %s', async (line, words) => {
    if (line.startsWith('profiles')) admin.set('ada', { tenant: 'globex' });
    const { stdout, stderr } = await admin.run(line);
    expect(stdout + stderr).toMatch(words);
  });

  it('is not sent to another platform by an absolute address or a redirect', async () => {
    expect(await admin.run('api GET STAGING/api/v1/oauth2/client-credentials')).toMatchObject({ exit: 2 });
    expect(went()).toEqual([]);
    admin.tenants.own.before = (request) => [307, '', { location: request.replace(/^.* \/prod/, '/staging') }];
    for (const line of ['orgs users list', 'devices custom-info set d a=1', 'login refresh']) {
      expect(await admin.run(line)).toMatchObject({ exit: 8 });
      expect(went()).toEqual([acme]);
    }
  });

  it('from variables gets a token for each platform, even with the same client and secret', async () => {
    for (const where of [acme, staging]) admin.tenants.credential(where, 'same', { clientId: 'same', secret: 'same' });
    const env = { IIOT_CLIENT_ID: 'same', IIOT_CLIENT_SECRET: 'same', IIOT_ORG: org };
    for (const base of ['PROD', 'STAGING', 'PROD', 'STAGING'])
      expect(await admin.run(`orgs users list --base-url ${base}`, { env })).toMatchObject(done);
    expect(admin.tenants.arrived.filter(({ request }) => request.startsWith('POST'))).toHaveLength(2);
    expect(went()).toEqual(['/prod', acme, '/staging', staging]);
  });

  it.each([
    ['IIOT_TOKEN', () => tokenOf(globex)],
    ['IIOT_CLIENT_ID', () => globot],
  ] as const)('from %s is not used for the organization of another tenant', async (_, env) => {
    await admin.run('credentials list --profile ada', { env: env() }); // its tenant is known from now on
    await admin.run('credentials list --profile ada', { env: env() });
    for (const line of [
      'orgs users list',
      'batches create --rows {}/b.csv --yes',
      'api GET /api/v1/orgs/{orgId}/users',
    ])
      expectRefused(await admin.fresh(`${line} --profile ada`, { env: env() }), tenants);
  });
});

describe('an import whose profile changes while it runs', () => {
  /** The change comes with the fourth row; then the platform refuses the token that the import began with. */
  async function importedWhile(change: () => Promise<Seen>) {
    admin.me.file('long.csv', `deviceId,line\n${Array.from({ length: 30 }, (_, at) => `press-${at},1\n`).join('')}`);
    let count = 0;
    admin.tenants.own.before = async (request) => {
      if (request.startsWith('PUT')) count += 1;
      if (!request.startsWith('PUT') || count !== 4) return undefined;
      admin.tenants.expire(acme);
      expect(await change()).toMatchObject(done);
      return undefined;
    };
    const { exit, stderr } = await admin.run('devices custom-info import {}/long.csv --yes --concurrency 1');
    const sent = admin.tenants.arrived.filter(({ request }) => request.startsWith('PUT'));
    return { exit, stderr, as: [...new Set(sent.map((each) => `${each.owners} ${each.account}`))] };
  }
  const imported = (where: Where, account?: string) => importedWhile(() => admin.login('ada', where, account));
  const again = 'devices custom-info import {}/long.csv --yes --resume --profile';
  const recorded = async () =>
    (await admin.run('history show --jq .baseUrl,.tenant,.account')).stdout.trim().split('\n');
  const began = () => [admin.tenants.baseOf(acme), 'acme', 'ada@x.test'];

  it.each([
    [globex, 'ada@x.test'],
    [staging, 'ada@x.test'],
    [acme, 'eve@x.test'],
  ] as const)('sends nothing to the new place, and stops, after a login at %s as %s', async (where, account) => {
    const { exit, stderr, as } = await imported(where, account);
    expect({ exit, as }).toEqual({ exit: 3, as: [`${acme} ada@x.test`] });
    const words =
      where === acme
        ? [/now it is .*, as eve@x.test/, /began at .*, as ada@x.test/]
        : [told(acme, where), told(where, acme)];
    for (const each of [...words, /--resume/]) expect(stderr).toMatch(each);
    expect(await recorded()).toEqual(began());
    expect(stderr).not.toMatch(/login --profile ada\. Continue .* --profile ada/);
    if (where === globex) expectRefused(await admin.fresh(`${again} ada`), tenants);
    expect(await admin.fresh(`${again} bob`)).toMatchObject(done);
    expect(went()).toEqual([acme]);
  });

  it('stops when its profile is deleted, and the history keeps the account', async () => {
    const { exit, stderr, as } = await importedWhile(() => admin.run('profiles delete ada --yes'));
    expect({ exit, as }).toEqual({ exit: 3, as: [`${acme} ada@x.test`] });
    expect(stderr).toMatch(/^error: Profile ada was logged out in the meantime\. 30 rows: .* done, .* not sent/m);
    expect(await recorded()).toEqual(began());
    expect(await admin.fresh(`${again} bob`)).toMatchObject(done);
  });

  it('continues after the same account logs in to the same place', async () => {
    expect(await imported(acme)).toMatchObject({ exit: 0, as: [`${acme} ada@x.test`] });
  });
});

describe('a client credential whose ID exists in several places', () => {
  async function made() {
    for (const by of ['ada', 'globex', 'staging']) {
      const line = `credentials create --name r --save-profile r-${by} --profile ${by}`;
      expect(await admin.run(line)).toMatchObject(done);
      expect(admin.logins()[`r-${by}`].clientCredentialId).toBe('credential_002');
    }
    return admin.logins();
  }

  it.each(['globex', 'staging'])('is deleted and rotated with the profiles of its own place only: %s', async (name) => {
    const before = await made();
    const { stderr } = await admin.fresh(`credentials delete credential_002 --profile ${name} --dry-run`);
    expect(stderr.match(/r-\w+/g)).toEqual([`r-${name}`]);
    expect(await admin.fresh(`credentials rotate credential_002 --profile ${name} --yes`)).toMatchObject(done);
    expect(went()).toEqual([name === 'globex' ? globex : staging]);
    const successor = expect.objectContaining({ clientCredentialId: 'credential_003' });
    expect(admin.logins()).toEqual({ ...before, [`r-${name}`]: successor });
  });

  it.each(['IIOT_TOKEN', 'IIOT_CLIENT_ID'])(
    'is saved in a profile without the organization of another tenant: %s',
    async (by) => {
      const env = by === 'IIOT_TOKEN' ? tokenOf(globex) : globot;
      expect(await admin.run('credentials create --name q --save-profile new --profile ada', { env })).toMatchObject(
        done,
      );
      expect(JSON.parse(admin.read('config.json')).profiles.new).toEqual({ baseUrl: admin.whole('PROD') });
      expect(went()).toEqual([globex]);
    },
  );
});

describe.each([{ protected: true }, { readOnly: true }])('a profile with %j', (held) => {
  const pairs = ['baseUrl=STAGING', 'tenant=globex', `org=${tenantIds.globex}`, 'caFile=/ca.pem', 'allowHttp=true'];

  it('is not moved to another place unasked, even after a logout', async () => {
    for (const name of ['ada', 'robot']) admin.set(name, held);
    const other = 'login m2m --profile robot --client-id client-prod-globex-1 --client-secret-stdin';
    const asks = { exit: 2, stderr: expect.stringContaining('--confirm-profile') };
    for (const pair of pairs) expect(await setTo(pair)()).toMatchObject(asks);
    for (const _ of ['logged in', 'logged out']) {
      for (const where of [globex, staging]) expect(await admin.login('ada', where)).toMatchObject(asks);
      expect(await admin.run(other, { stdin: globot.IIOT_CLIENT_SECRET })).toMatchObject(asks);
      for (const name of ['ada', 'robot']) await admin.run(`logout --profile ${name}`);
    }
    expect(went()).toEqual([]);
    expect(await admin.login('ada', acme)).toMatchObject(done);
  });

  it.each([globex, staging])('names both places when a login would move it to %s', async (where) => {
    admin.set('ada', held);
    expectRefused(await admin.login('ada', where), [acme, where]);
  });
});

describe('profile settings', () => {
  it.each([
    ['robot', 'login m2m --client-id client-prod-acme-1 --base-url STAGING', platforms],
    ['ada', 'login --tenant globex', tenants],
  ] as const)('secretCommand of %s is not run elsewhere: iiot %s', async (name, line, places) => {
    const secretCommand = [process.execPath, '-e', `require('fs').writeFileSync('${admin.at('ran')}', '')`];
    const tenant = name === 'ada' ? 'acme' : undefined;
    admin.set(name, { secretCommand, secretCommandPlace: { base: 'PROD', tenant } });
    expectRefused(await admin.run(`${line} --profile ${name}`), places);
    const { stderr } = await admin.run(`profiles set ${name} baseUrl=STAGING`);
    expect(stderr).toMatch(
      /was for .*\/prod, and is now for .*\/staging.\nIts secretCommand belonged to .*\/prod.* is unset/,
    );
    expect(existsSync(admin.at('ran'))).toBe(false);
  });

  it.each([
    ['its own', 'staging', () => ({}), staging, true],
    ['--base-url', 'staging --base-url PROD', () => tokenOf(acme), acme, false],
    ['IIOT_TOKEN', 'ada', () => tokenOf(globex), globex, false],
    ['IIOT_CLIENT_ID', 'robot', () => globot, globex, false],
  ] as const)('label is shown only in questions about its own place: %s', async (_, profile, env, where, isShown) => {
    admin.set(profile.split(' ')[0] ?? '', { label: 'LABEL' });
    // The tenant of a client is known once it has a token.
    await admin.run(`credentials list --profile ${profile}`, { env: env() });
    const given = { env: env(), typed: 'n\n' };
    const { exit, stderr } = await admin.fresh(`credentials delete credential_001 --profile ${profile}`, given);
    const seen = { exit, went: went(), isShown: stderr.includes('[LABEL]') };
    expect(seen).toEqual({ exit: 130, went: [where], isShown });
    const tenant = tenantOf(where);
    expect(stderr).toMatch(new RegExp(`at ${admin.tenants.baseOf(where)}, tenant (${tenant}|${tenantIds[tenant]})\\?`));
  });

  it('label is not shown while the tenant of IIOT_CLIENT_ID is unknown', async () => {
    admin.set('robot', { label: 'LABEL' });
    const line = 'credentials delete credential_001 --profile robot';
    expect((await admin.run(line, { env: globot, typed: 'n\n' })).stderr).not.toContain('[LABEL]');
  });

  it('allowHttp and caFile apply at its own base URL only', async () => {
    const lab = authority();
    const secure = await keep(rawServer(always(200, '[]'), serverPair(lab)));
    const there = await keep(openAdministrator({ wire: 'network' }));
    const list = (more: string) => there.run(`orgs users list --profile lab${more}`, { env: tokenOf(acme) });
    there.set('lab', { baseUrl: 'http://lab.example', allowHttp: true, org });
    expect(await list(' --base-url http://prod.example')).toMatchObject({ exit: 2 });
    there.set('lab', { baseUrl: `${secure.origin}/lab`, caFile: there.me.file('ca.pem', lab.certificate) });
    expect(await list('')).toMatchObject(done);
    expect(await list(` --base-url ${secure.origin}/prod`)).toMatchObject({ exit: 8 });
    expect(secure.requests.map((request) => request.slice(0, 9))).toEqual(['GET /lab/']);
  });
});

describe('this machine', () => {
  it('offers remembered devices in their own tenant only', async () => {
    await admin.run('devices custom-info set acme-press-7 a=1 --profile ada', { typed: '' });
    const offered = async (name: string) => {
      const { stdout } = await admin.run('__complete fish devices custom-info set ', { env: { IIOT_PROFILE: name } });
      return stdout.includes('acme-press-7');
    };
    const all = ['ada', 'bob', 'robot', 'globex', 'globot', 'staging', 'stagbot'];
    expect(await Promise.all(all.map(offered))).toEqual([true, true, true, false, false, false, false]);
    const { stderr } = await admin.run('devices custom-info set --profile globex', { typed: 'x\n' });
    expect([stderr.includes('acme-press'), went()]).toEqual([false, [acme]]);
  });

  it('shows the tenant of each change in the history', async () => {
    for (const name of ['ada', 'globex', 'globot']) await admin.run(`devices custom-info set d a=1 --profile ${name}`);
    await admin.run('devices custom-info set d a=1 --profile ada', { env: tokenOf(globex) });
    const { stdout } = await admin.run('history -o csv --columns profile,tenant,tenantId,flow');
    expect(stdout.trim().split(/\r?\n/).slice(1)).toEqual([
      `ada,,${tenantIds.globex},token`,
      `globot,,${tenantIds.globex},m2m`,
      `globex,globex,${tenantIds.globex},user`,
      `ada,acme,${tenantIds.acme},user`,
    ]);
    expect((await admin.run('history', { typed: '' })).stdout).toMatch(/globex[\s\S]*acme/);
  });
});

describe('iiot mcp', () => {
  const change = ['channels_update', { channelId: 'channel_1', name: 'after' }] as const;

  it('keeps the profile that it was started with, and every question names the place', async () => {
    admin.set('staging', { label: 'LABEL' });
    await admin.run('profiles use staging');
    const { asked } = await admin.toolCalled(change, () => admin.run('profiles use ada'));
    expect(went()).toEqual([staging]);
    const place = `${admin.whole('STAGING')}, tenant acme, as ada@x.test, organization ${org}`;
    expect(asked).toMatch(new RegExp(`^\\[LABEL\\] .*\nProfile staging: ${place}\n`));
  });

  it.each([
    ['logged in to another tenant', () => admin.login('ada', globex), tenants],
    ['logged in to another platform', () => admin.login('ada', staging), platforms],
    ['set to another platform', setTo('baseUrl=STAGING'), platforms],
  ] as const)('changes nothing once its profile is %s', async (_, meanwhile, [one, other]) => {
    const { asked, text } = await admin.toolCalled(change, meanwhile);
    expect({ asked, went: went() }).toEqual({ asked: '', went: [] });
    for (const words of [told(one, other), told(other, one)]) expect(text).toMatch(words);
  });
});
