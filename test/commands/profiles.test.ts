import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileFields } from '../../src/store/config.ts';
import { personForEach } from '../support/fixtures.ts';
import { errorOf, failed, worked } from '../support/seen.ts';

const someone = personForEach({
  env: { IIOT_BASE_URL: undefined, IIOT_TENANT: undefined, IIOT_APP: undefined, IIOT_ORG: undefined },
});

const profiles = (...words: string[]) => someone.iiot(['profiles', ...words]);
const value = async (...words: string[]) => JSON.parse((await profiles(...words, '-o', 'json')).stdout);
const config = () => JSON.parse(readFileSync(join(someone.folder, 'config.json'), 'utf8'));

describe('iiot profiles set', () => {
  it.each([
    ['baseUrl=HTTPS://Plant.Example:443/iiot/', { baseUrl: 'https://plant.example/iiot' }],
    ['baseUrl=http://plant.example', { baseUrl: 'http://plant.example' }],
    ['tenant=a=b', { tenant: 'a=b' }],
    ['app=console', { app: 'console' }],
    ['org=hall 3', { org: 'hall 3' }],
    ['output=ndjson', { output: 'ndjson' }],
    ['allowHttp=true', { allowHttp: true }],
    ['allowHttp=off', { allowHttp: false }],
    ['caFile=/etc/ca.pem', { caFile: '/etc/ca.pem' }],
    ['caFile=ca.pem', { caFile: resolve('ca.pem') }],
    ['clientCert=/etc/me.p12', { clientCert: '/etc/me.p12' }],
    ['clientKey=/etc/me.key', { clientKey: '/etc/me.key' }],
    ['batchBody=input', { batchBody: 'input' }],
    ['account=ada@factory.example', { account: 'ada@factory.example' }],
    ['readOnly=true', { readOnly: true }],
    ['label=Halle 3 – NORD', { label: 'Halle 3 – NORD' }],
    ['color=magenta', { color: 'magenta' }],
    ['protected=on', { protected: true }],
    ['history=false', { history: false }],
  ])('stores %s', async (pair, kept) => {
    const shown = Object.entries(await value('set', 'plant', pair));
    expect(Object.fromEntries(shown.filter(([, each]) => each !== null))).toEqual({ name: 'plant', ...kept });
    expect(shown.map(([key]) => key).toSorted()).toEqual(['name', ...Object.keys(profileFields)].toSorted());
    expect(config().profiles.plant).toEqual(kept);
  });

  it.each([
    ['secretCommand= pass  show plant/iiot ', ['pass', 'show', 'plant/iiot']],
    ['secretCommand=["/opt/op","read","a b","$x"]', ['/opt/op', 'read', 'a b', '$x']],
  ])('stores %s with the platform that it belongs to', async (pair, secretCommand) => {
    expect((await profiles('set', 'plant', pair)).exit).toBe(2);
    await profiles('set', 'plant', pair, 'baseUrl=https://plant.example/x');
    const kept = { baseUrl: 'https://plant.example/x', secretCommand };
    expect((await profiles('show', 'plant')).stdout).toContain(`secretCommand\t${JSON.stringify(secretCommand)}\n`);
    expect(config().profiles.plant).toEqual({
      ...kept,
      secretCommandPlace: { base: 'https://plant.example/x' },
      secretCommandOrigin: 'https://plant.example',
    });
  });

  it('unsets the secretCommand of another platform or tenant, unless it is set again', async () => {
    await profiles('set', 'plant', 'secretCommand=pass a', 'baseUrl=https://a.example/prod');
    // The first tenant of the profile is the one that it is for.
    await profiles('set', 'plant', 'tenant=acme', 'org=O1');
    expect(config().profiles.plant).toMatchObject({
      secretCommand: ['pass', 'a'],
      secretCommandPlace: { base: 'https://a.example/prod', tenant: 'acme' },
    });
    const isUnset = (tenant: string) =>
      `Its secretCommand belonged to https://a.example/prod, tenant ${tenant} and is unset: set it again for this place.\n`;
    expect((await profiles('set', 'plant', 'tenant=globex')).stderr).toBe(
      `${isUnset('acme')}Set tenant of profile plant\n`,
    );
    await profiles('set', 'plant', 'secretCommand=pass b');
    expect((await profiles('set', 'plant', 'baseUrl=https://a.example/staging')).stderr).toBe(
      `Profile plant was for https://a.example/prod, and is now for https://a.example/staging.\n${isUnset('globex')}Set baseUrl of profile plant\n`,
    );
    expect(config().profiles.plant).toEqual({ baseUrl: 'https://a.example/staging', tenant: 'globex', org: 'O1' });
    await profiles('set', 'plant', 'secretCommand=pass c', 'baseUrl=https://c.example');
    expect(config().profiles.plant).toMatchObject({ secretCommandOrigin: 'https://c.example' });
  });

  it('creates the profile, changes the named keys, and unsets a key with KEY=', async () => {
    await profiles('set', 'plant', 'org=a', 'tenant=t', 'app=x');
    expect(await profiles('set', 'plant', 'org=b', 'tenant=')).toEqual(
      worked('', 'Set org and unset tenant of profile plant'),
    );
    expect(config().profiles.plant).toEqual({ org: 'b', app: 'x' });
  });

  it('names all mistakes at once, and stores nothing', async () => {
    const pairs = `org=a color=pink label=${'x'.repeat(31)} output=xml allowHttp=1 batchBody=x baseUrl=plant.example:8443/iiot colour=red tenant __proto__=x app=1 app=2`;
    const { exit, details } = await errorOf(profiles('set', 'plant', ...pairs.split(' '), '-o', 'json'));
    const keys =
      'is not a key; the keys are baseUrl, tenant, app, org, account, output, allowHttp, caFile, clientCert, clientKey, batchBody, protected, readOnly, label, color, history, secretCommand';
    expect(exit).toBe(2);
    expect(details).toEqual([
      { option: 'color', message: 'takes one of red, yellow, green, blue, magenta, cyan' },
      { option: 'label', message: 'takes at most 30 characters' },
      { option: 'output', message: 'takes one of table, json, ndjson, yaml, csv, id' },
      { option: 'allowHttp', message: 'takes true or false' },
      { option: 'batchBody', message: 'takes one of dto, input' },
      { option: 'baseUrl', message: expect.stringMatching(/, as in https:\/\/plant\.example:8443\/iiot$/) },
      { option: 'colour', message: keys },
      { option: 'tenant', message: 'is not KEY=VALUE' },
      { option: '__proto__', message: keys },
      { option: 'app', message: 'was given twice' },
    ]);
    expect((await profiles('list', '-o', 'id')).stdout).toBe('');
  });

  it('is refused without KEY=VALUE', async () => {
    const refusal = failed(2, 'error: iiot profiles set needs KEY=VALUE.', 'hint: See iiot profiles set --help');
    expect(await profiles('set', 'plant')).toEqual(refusal);
  });

  const noShell = 'is run without a shell; write it as a JSON array of words';
  const inPath = 'takes a program in PATH, or its absolute path';
  it.each([
    ...['[]', '[""]', '["pass",1]', '["pass"'].map((words) => [
      words,
      'takes a program and its arguments, such as ["pass","show","iiot"]',
    ]),
    ['pass show iiot | head', noShell],
    ['pass show "a b"', noShell],
    ['./pass show iiot', inPath],
    ['["bin/pass"]', inPath],
  ])('refuses the secretCommand %s', async (words, why) => {
    const { exit, stderr } = await profiles('set', 'plant', `secretCommand=${words}`);
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `error: secretCommand ${why}.`]);
  });

  it.each([
    [['org=a'], 'Set org of profile plant'],
    [['output='], 'Unset output of profile plant'],
    [['org=a', 'tenant=b', 'output=', 'app='], 'Set org, tenant and unset output, app of profile plant'],
    [['allowHttp=false'], 'Set allowHttp=false of profile plant'],
    [['protected=true'], 'Profile plant is now protected'],
    [['protected=false'], 'Profile plant is no longer protected'],
    [['protected='], 'Profile plant is no longer protected'],
    [['output=json', 'protected=true'], 'Set output of profile plant; it is now protected'],
  ])('with %j says what it did', async (words, sentence) => {
    expect(await profiles('set', 'plant', ...words)).toEqual(worked('', sentence));
  });

  it.each([
    ['ftp://plant.example', 'must start with https://, as in https://platform.example'],
    ['https://me:secret@plant.example', 'cannot contain a user or a password'],
    ['https://plant.example/?a=b', 'cannot contain a query or a fragment'],
    ['https://plant.example/#', 'cannot contain a query or a fragment'],
    ['https://plant.example:0', 'cannot have port 0'],
    ['https://', 'must be a URL such as https://platform.example'],
  ])('refuses the address %s', async (address, why) => {
    const { exit, stderr } = await profiles('set', 'plant', `baseUrl=${address}`);
    expect([exit, stderr.split('\n')[0]]).toEqual([2, `error: baseUrl ${why}.`]);
    expect(stderr).not.toContain('secret');
  });

  it.each(['', '_x', 'a\nb', 'a\\b', '../x'])('refuses the profile name %j', async (name) => {
    const { exit, stderr } = await someone.iiot(['profiles', 'set', '--', name, 'org=a']);
    const hint =
      'hint: A name is up to 64 ASCII letters, digits, ".", "_" and "-", and begins with a letter or a digit.\n';
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`\n${hint}`)]);
    expect(readdirSync(someone.folder)).toEqual([]);
  });
});

describe('iiot profiles', () => {
  it('list shows all profiles, and marks the one in use', async () => {
    expect(await profiles('list')).toEqual(worked('', 'There are no profiles yet. Start with: iiot login'));
    await profiles('set', 'default', 'org=a');
    const pairs =
      'baseUrl=https://plant.example protected=true readOnly=true label=PRODUCTION tenant=acme account=ada@acme.example';
    await profiles('set', 'plant', ...pairs.split(' '));
    await profiles('use', 'plant');
    expect(await value('list')).toEqual([
      {
        ...{ name: 'default', current: false, baseUrl: null, org: 'a', protected: false, readOnly: false },
        ...{ label: null, tenant: null, account: null, flow: null },
      },
      {
        ...{ name: 'plant', current: true, baseUrl: 'https://plant.example', org: null, protected: true },
        ...{ readOnly: true, label: 'PRODUCTION', tenant: 'acme', account: 'ada@acme.example', flow: null },
      },
    ]);
  });

  it('list shows how each profile is logged in, and all profiles if the logins are unreadable', async () => {
    await profiles('set', 'default', 'org=a');
    await profiles('set', 'plant', 'org=b');
    const file = join(someone.folder, 'credentials.json');
    const origin = 'https://plant.example';
    const logins = { plant: { flow: 'm2m', origin, base: origin, clientId: 'robot', clientSecret: 'CANARY' } };
    writeFileSync(file, JSON.stringify({ version: 1, logins }), { mode: 0o600 });
    const flows = ['--jq', 'map([.name, .flow])'];
    expect(await profiles('list', ...flows)).toEqual(worked('[["default",null],["plant","m2m"]]\n'));
    writeFileSync(file, '{', { mode: 0o600 });
    const { exit, stdout, stderr } = await profiles('list', ...flows);
    expect([exit, stdout]).toEqual([0, '[["default",null],["plant",null]]\n']);
    expect(stderr).toMatch(/^Could not use .*credentials\.json: .*\.\n$/);
  });

  it('show --origin names the source of each value: option, variable or profile', async () => {
    await profiles('set', 'plant', 'org=o', 'tenant=t', 'app=a', 'output=csv');
    await profiles('use', 'plant');
    const env = { IIOT_TENANT: 'variable', IIOT_APP: '' };
    const { stdout } = await someone.iiot(['profiles', 'show', '--origin', '--org', 'typed', '-o', 'json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ tenant: 'variable', app: 'a', org: 'typed', output: 'json', flow: null, label: null },
      origins: {
        ...{ tenant: 'IIOT_TENANT', app: 'profile plant', org: '--org', output: '--output' },
        ...{ flow: 'nobody is logged in', label: null },
      },
    });
    const bare = await someone.iiot(['profiles', 'show', '--org', 'typed', '-o', 'json'], { env });
    expect(bare.stdout).toBe(stdout);
  });

  it('show NAME shows the stored profile, whatever the variables say', async () => {
    await profiles('set', 'plant', 'org=o');
    const env = { IIOT_ORG: 'variable' };
    const { stdout } = await someone.iiot(['profiles', 'show', 'plant', '-o', 'json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'plant', org: 'o', flow: null });
  });

  it('show and list print no secret', async () => {
    await someone.iiot(['login', 'm2m', '--base-url', 'http://127.0.0.1:1']);
    const shown = { name: 'default', baseUrl: 'http://127.0.0.1:1', output: 'json', flow: 'm2m' };
    expect(await value('show')).toMatchObject(shown);
    expect((await profiles('show', '-o', 'json')).stdout).not.toContain('sandbox-secret');
    expect((await profiles('list', '-o', 'json')).stdout).not.toContain('sandbox-secret');
  });

  it.each([
    ['profiles show prdo', ''],
    ['profiles use prdo', ''],
    ['profiles delete prdo', ''],
    ['profiles rename prdo new', ''],
    ['orgs users list --profile prdo', ' (--profile)'],
    ['profiles show --profile prdo', ' (--profile)'],
    ['mcp --profile prdo', ' (--profile)'],
    ['login status --profile prdo', ' (--profile)'],
    ['logout --profile prdo', ' (--profile)'],
    ['channels update channel_email --disabled --confirm-profile prdo', ' (--confirm-profile)'],
  ])('proposes the nearest profile name: iiot %s', async (line, from) => {
    const words = line.split(' ');
    const sentence = `error: There is no profile "prdo"${from}.`;
    expect(await someone.iiot(words)).toEqual(failed(2, sentence, 'hint: Profiles: none yet'));
    await profiles('set', 'test', 'org=a');
    expect(await someone.iiot(words)).toEqual(failed(2, sentence, 'hint: Profiles: test'));
    await profiles('set', 'prod', 'org=b');
    expect(await someone.iiot(words)).toEqual(failed(2, sentence, 'hint: Did you mean prod?'));
    expect(someone.requests).toEqual([]);
  });

  const told = (name: string) =>
    `Scripts and other sessions of this account that name no profile use ${name} now. Where people share the account, set IIOT_PROFILE in each session.`;

  it('use says whom it concerns, and that IIOT_PROFILE still decides', async () => {
    await profiles('set', 'prod', 'org=a');
    await profiles('set', 'test', 'org=b');
    const use = (name: string) => someone.iiot(['profiles', 'use', name], { env: { IIOT_PROFILE: 'prod' } });
    const note = 'In this shell, IIOT_PROFILE still makes commands use profile prod. To end that: unset IIOT_PROFILE';
    expect(await use('test')).toEqual(worked('', note, told('test'), 'Using profile test'));
    expect(await use('prod')).toEqual(worked('', told('prod'), 'Using profile prod'));
    expect(await use('prod')).toEqual(worked('', 'Using profile prod'));
  });

  it('set may confirm the protected profile that it creates', async () => {
    const words = ['set', 'plant', 'org=a', 'protected=true', '--confirm-profile', 'plant'];
    for (const _ of ['new', 'protected']) expect((await profiles(...words)).exit).toBe(0);
  });

  it('use takes the default profile, even if nothing is set in it', async () => {
    await profiles('set', 'plant', 'org=a');
    await profiles('use', 'plant');
    expect(await profiles('use', 'default')).toEqual(worked('', told('default'), 'Using profile default'));
    expect((await value('list')).map(({ current }: { current: boolean }) => current)).toEqual([false]);
  });

  describe('rename', () => {
    const robotLogin = () => someone.iiot(['login', 'm2m', '--base-url', 'http://127.0.0.1:1', '--profile', 'robot']);
    const logins = () =>
      Object.keys(JSON.parse(readFileSync(join(someone.folder, 'credentials.json'), 'utf8')).logins).join(', ');

    const broken = (name: string) =>
      `Scripts and IIOT_PROFILE that name ${name} find no profile any more; what is running goes on.`;

    it('keeps the values, the login, the order and the profile in use', async () => {
      await profiles('set', 'first', 'org=a');
      await robotLogin();
      await profiles('set', 'robot', 'org=b', 'readOnly=true');
      await profiles('set', 'third', 'org=c');
      await profiles('use', 'robot');
      expect(await profiles('rename', 'robot', 'plant', '--confirm-profile', 'robot')).toEqual(
        worked('', broken('robot'), 'Renamed profile robot to plant'),
      );
      expect(config().current).toBe('plant');
      expect(Object.entries(config().profiles)).toEqual([
        ['first', { org: 'a' }],
        ['plant', { baseUrl: 'http://127.0.0.1:1', org: 'b', readOnly: true }],
        ['third', { org: 'c' }],
      ]);
      expect(logins()).toBe('plant');
      const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
      expect((await someone.iiot(['credentials', 'list', '-o', 'id'], { env })).exit).toBe(0);
    });

    it('leaves another profile in use', async () => {
      await profiles('set', 'plant', 'org=a');
      expect(await value('rename', 'plant', 'berlin')).toEqual({ name: 'berlin', previousName: 'plant' });
      expect(config().current ?? 'default').toBe('default');
    });

    it('finishes a rename that was killed between login and profile', async () => {
      await robotLogin();
      const written = config();
      await profiles('rename', 'robot', 'plant');
      writeFileSync(join(someone.folder, 'config.json'), JSON.stringify(written));
      expect(await profiles('rename', 'robot', 'plant')).toEqual(
        worked('', broken('robot'), 'Renamed profile robot to plant'),
      );
      expect([Object.keys(config().profiles), logins()]).toEqual([['plant'], 'plant']);
    });

    it.each([
      ...['plant', 'robot'].map((name): [string[], string, string] => [
        ['robot', name],
        `Profile "${name}" already exists.`,
        `Choose another name, or: iiot profiles delete ${name}`,
      ]),
      [['nobody', 'new'], 'There is no profile "nobody".', 'Profiles: robot, plant'],
    ])('refuses %j, and changes nothing', async (names, sentence, hint) => {
      await robotLogin();
      await profiles('set', 'plant', 'org=a');
      const before = config();
      expect(await profiles('rename', ...names)).toEqual(failed(2, `error: ${sentence}`, `hint: ${hint}`));
      expect([config(), logins()]).toEqual([before, 'robot']);
    });

    it('does not overwrite a login without a profile', async () => {
      await robotLogin();
      await someone.iiot(['login', 'm2m', '--base-url', 'http://127.0.0.1:1', '--profile', 'plant']);
      const { plant: _gone, ...left } = config().profiles;
      writeFileSync(join(someone.folder, 'config.json'), JSON.stringify({ ...config(), profiles: left }));
      expect((await profiles('rename', 'robot', 'plant')).exit).toBe(2);
      expect(logins()).toBe('robot, plant');
    });
  });

  it('delete removes the profile and its login after a question, and falls back to default', async () => {
    await someone.iiot(['login', 'm2m', '--base-url', 'http://127.0.0.1:1', '--profile', 'robot']);
    await profiles('use', 'robot');
    expect(await profiles('delete', 'robot')).toEqual(
      failed(2, 'error: Profile robot has a login; cannot prompt: not a terminal.', 'hint: Confirm with --yes'),
    );
    expect(await profiles('delete', 'robot', '--yes')).toEqual(worked('', 'Deleted profile robot'));
    expect((await profiles('list', '-o', 'id')).stdout).toBe('');
    expect(readFileSync(join(someone.folder, 'credentials.json'), 'utf8')).not.toContain('sandbox-secret');
    expect((await value('show')).name).toBe('default');
  });
});

it.each(['constructor', 'toString', 'hasOwnProperty', 'a.b', '0', 'x'.repeat(64)])(
  'a profile can have the name %s',
  async (name) => {
    expect((await profiles('delete', name, '--yes')).exit).toBe(2);
    const { stderr } = await someone.iiot(['orgs', 'users', 'list'], { env: { IIOT_PROFILE: name } });
    expect(stderr).toContain(`There is no profile "${name}" (IIOT_PROFILE).`);
    expect((await profiles('set', name, 'org=1')).exit).toBe(0);
    expect(config().profiles).toEqual(Object.fromEntries([[name, { org: '1' }]]));
    expect((await profiles('use', name)).exit).toBe(0);
    expect(await value('show')).toMatchObject({ name, org: '1', output: 'json', flow: null });
    expect((await profiles('delete', name)).exit).toBe(0);
    expect(config()).toMatchObject({ current: 'default', profiles: {} });
  },
);
