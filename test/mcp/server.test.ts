import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { openAgent, type Says } from '../support/agent.ts';
import { changes } from '../support/changes.ts';
import { closedAfterEach, personForEach } from '../support/fixtures.ts';
import { type Given, refused } from '../support/world.ts';

type Agent = Awaited<ReturnType<typeof openAgent>>;

const someone = personForEach();
const keep = closedAfterEach();
const policy = { alertPolicyId: ids.policy };

async function agent(words: readonly string[] = [], says?: Says, env: Given['env'] = {}): Promise<Agent> {
  const opened = await openAgent(someone, words, says, env);
  return keep({
    ...opened,
    async close() {
      await opened.client.close();
      expect(await opened.ended).toEqual({ exit: 0, stdout: '', stderr: '' });
      // Every question was answered.
      expect(opened.said()).not.toContain('notifications/cancelled');
    },
  });
}

async function call({ client }: Pick<Agent, 'client'>, name: string, input: Readonly<Record<string, unknown>> = {}) {
  const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: { ...input } });
  return { isError, structuredContent, texts: (content as { text: string }[]).map(({ text }) => text) };
}

/** The error that a tool gives. */
async function refusalOf(from: Pick<Agent, 'client'>, name: string, input: Readonly<Record<string, unknown>>) {
  const { isError, structuredContent } = await call(from, name, input);
  expect(isError).toBe(true);
  return (structuredContent as { error?: unknown }).error;
}

// What an agent may read is in the folder where the command runs.
const project = process.cwd();
afterEach(() => process.chdir(project));

describe('iiot mcp', () => {
  it('names its platform, and lists only tools that read', async () => {
    const { client } = await agent();
    expect(client.getServerVersion()?.name).toBe('iiot');
    expect(client.getInstructions()).toContain(`Platform: ${someone.env.IIOT_BASE_URL}. Organization: ${ids.root}.`);
    const { tools } = await client.listTools();
    const some = ['orgs_users_list', 'templates_list', 'batches_cron'];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(some));
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  });

  it('reads templates only in the folder that it was started in', async () => {
    const at = (name: string) => join(someone.folder, name);
    for (const folder of ['work/templates/sub', 'secrets']) mkdirSync(at(folder), { recursive: true });
    const template = '---\ntemplateId: template_001\n---\nHot';
    for (const file of ['work/templates/a.md', 'secrets/a.md']) writeFileSync(at(file), template);
    const links = { out: '../secrets', gone: '../secrets/none', in: 'templates/sub' };
    for (const [link, target] of Object.entries(links)) symlinkSync(target, at(`work/${link}`));
    process.chdir(at('work'));
    const started = await agent();
    const answerTo = async (tool: string, field: string, path: string) => {
      const { isError, texts } = await call(started, tool, { [field]: path });
      return isError ? JSON.parse(texts[0] ?? '').error.message : 'read';
    };
    const refused = (tool: string) => `${tool} reads only below the folder that iiot mcp was started in.`;
    const outside =
      '.. /etc /etc/shadow /none ../secrets/a.md out out/a.md out/none in/../../../secrets/a.md none/../../secrets/a.md';
    for (const path of [...outside.split(' '), at('secrets')]) {
      expect(await answerTo('templates_preview', 'source', path)).toBe(refused('templates_preview'));
      expect(await answerTo('templates_diff', 'dir', path)).toBe(refused('templates_diff'));
    }
    for (const path of ['templates/a.md', at('work/templates/a.md'), 'template_001'])
      expect(await answerTo('templates_preview', 'source', path)).toBe('read');
    expect(await answerTo('templates_preview', 'source', 'none.md')).toBe('none.md does not exist.');
    for (const path of ['templates', '.']) expect(await answerTo('templates_diff', 'dir', path)).toBe('read');
  });

  it('lists users', async () => {
    const input = { role: 'admin', limit: 2 };
    const { isError, structuredContent, texts } = await call(await agent(), 'orgs_users_list', input);
    expect(isError).toBe(false);
    const users = JSON.parse(texts[0] ?? '');
    expect(users).toMatchObject([{ userId: 'ada', orgRole: 'admin' }, { orgRole: 'admin' }]);
    expect(structuredContent).toEqual({ items: users });
    expect(texts[1]).toBe('2 of 91 users');
  });

  it('passes values on unchanged, whatever character they begin with', async () => {
    for (const name of ['— x', '“Hall 3”', 'g\ufffdheim']) {
      await call(await agent(), 'templates_list', { name });
      const [, query = ''] = someone.requests.at(-1)?.split('?') ?? [];
      expect(new URLSearchParams(query).get('name')).toBe(name);
    }
  });

  it('refuses a change without --allow-changes', async () => {
    const refusal = await refusalOf(await agent(), 'channels_update', { channelId: 'channel_email', enabled: false });
    const message = 'channels_update changes something, and only reading is allowed here.';
    const hint = 'The person may start: iiot mcp --allow-changes';
    expect(refusal).toMatchObject({ code: 'forbidden', message, hint });
  });

  it.each(['--confirm-profile=default', '--yes', '--verbose', '--debug'])(
    'refuses %s, which has no effect',
    async (option) => {
      const [name] = option.split('=');
      const sentence = `${name} has no effect: iiot mcp asks and answers in its client; leave it out.`;
      expect(await someone.iiot(['mcp', option])).toEqual(refused(sentence, 'See iiot mcp --help'));
    },
  );

  it('has no tool for login token', async () => {
    const { client } = await agent();
    const called = client.callTool({ name: 'login_token', arguments: {} });
    await expect(called).rejects.toThrow('There is no tool "login_token"');
  });
});

describe('a read-only iiot mcp', () => {
  const words = ['channels_update', { channelId: 'channel_email', disable: true, dryRun: true }] as const;
  const refusal = (by: string) => ({
    code: 'read_only',
    message: expect.stringContaining(`(${by})`),
    details: [],
    hint: 'The person decides what is read-only',
  });

  it('offers no tool that changes something, and runs none', async () => {
    const { client } = await agent(['--read-only']);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const { structuredContent } = await client.callTool({ name: words[0], arguments: words[1] });
    expect(structuredContent).toEqual({ error: refusal('--read-only') });
    expect(someone.requests).toEqual([]);
  });

  it('cannot be started with --allow-changes', async () => {
    const { exit, stderr } = await someone.iiot(['mcp', '--allow-changes', '--read-only']);
    expect([exit, stderr.split('\n')[0]]).toEqual([2, 'error: --allow-changes and --read-only cannot be combined.']);
  });

  it('says that --allow-changes has no effect with IIOT_READ_ONLY', async () => {
    const { stderr } = await someone.iiot(['mcp', '--allow-changes'], { env: { IIOT_READ_ONLY: '1' } });
    expect(stderr).toBe('No tool that changes something is offered: read-only (IIOT_READ_ONLY).\n');
  });

  it('refuses a change if its profile became read-only after the start', async () => {
    writePlant({});
    const { client } = await agent(['--allow-changes', '--profile', 'plant'], () => ({ agree: true }));
    writePlant({ readOnly: true });
    const { structuredContent } = await client.callTool({
      name: 'credentials_delete',
      arguments: { clientCredentialId: 'credential_001' },
    });
    expect(structuredContent).toMatchObject({ error: { code: 'read_only' } });
    expect(someone.requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);
  });
});

function writePlant(fields: object): void {
  const plant = { baseUrl: 'http://127.0.0.1:1', ...fields };
  writeFileSync(join(someone.folder, 'config.json'), JSON.stringify({ version: 1, profiles: { plant } }));
}

describe('iiot mcp --allow-changes with a protected profile', () => {
  const plant = ['--allow-changes', '--profile', 'plant'];
  const guarded = { protected: true, label: 'PRODUCTION' };
  const disabling = { channelId: 'channel_email', enabled: false };
  const changed = () => someone.requests.filter((request) => !/^GET|token$/.test(request));

  it('asks the person with the label and the place of the profile', async () => {
    writePlant(guarded);
    const asking = await agent(plant, () => ({ agree: true }));
    expect(asking.client.getInstructions()).toContain(
      'The person is asked before every change; dryRun shows the request and sends nothing.',
    );
    expect((await call(asking, 'channels_update', disabling)).isError).toBe(false);
    expect((await call(asking, 'credentials_create', { name: 'robot', saveProfile: 'robot' })).isError).toBe(false);
    const place = 'Profile plant (protected): http://127.0.0.1:1, as sandbox-machine';
    expect(asking.asked.map(({ message }) => message)).toEqual([
      `[PRODUCTION] Change some fields of a notification channel? This cannot be undone.\n${place}, organization ${ids.root}\niiot channels update --profile=plant --disabled -- channel_email`,
      `[PRODUCTION] Create a client credential?\n${place.replace(', as', `, tenant ${ids.tenantId}, as`)}\niiot credentials create --profile=plant --name=robot --save-profile=robot`,
    ]);
  });

  it.each([[undefined], ['cancel'], [{ agree: false }], [{}]] as const)(
    'changes nothing if the person answers %j',
    async (answer) => {
      writePlant(guarded);
      const asking = await agent(plant, () => answer);
      for (const [tool, input] of [
        ['channels_update', disabling],
        ['credentials_create', { name: 'a', saveProfile: 'a' }],
      ] as const)
        expect(await refusalOf(asking, tool, input)).toMatchObject({
          code: 'interrupted',
          message: 'Nothing was changed.',
          hint: 'The person said no',
        });
      expect([asking.asked.length, changed()]).toEqual([2, []]);
    },
  );

  it('refuses a change if its profile was protected or moved while it asked', async () => {
    writePlant({});
    let meanwhile: object = guarded;
    const asking = await agent(
      plant,
      () => {
        writePlant(meanwhile);
        return { agree: true };
      },
      { IIOT_BASE_URL: undefined },
    );
    const answer = await refusalOf(asking, 'channels_update', disabling);
    expect(answer).toMatchObject({
      code: 'usage',
      message: 'Profile plant is protected; cannot prompt: not a terminal.',
      hint: 'Only the person can confirm it',
    });
    expect(JSON.stringify(answer)).not.toMatch(/--confirm-profile|--yes/);
    meanwhile = { ...guarded, baseUrl: 'http://127.0.0.1:1/prod' };
    expect(await refusalOf(asking, 'channels_update', disabling)).toMatchObject({
      // The tenant is known only if a token came before.
      message: expect.stringMatching(
        /^Profile plant was at http:\/\/127\.0\.0\.1:1, .* when the tools were offered; now it is at http:\/\/127\.0\.0\.1:1\/prod, /,
      ),
      hint: 'The person may start iiot mcp again',
    });
    expect(asking.asked[1]?.message).toContain('Profile plant (protected)');
    expect(changed()).toEqual([]);
  });
});

/** Where the tools of these tests act, in a question. */
const where = `Profile default: http://127.0.0.1:1, as sandbox-machine, organization ${ids.root}`;

describe('iiot mcp --allow-changes', () => {
  it('asks the person about an update, and names what it removes', async () => {
    const asking = await agent(['--allow-changes'], () => ({ agree: true }));
    const input = { ...policy, recipient: ['evil@x.example\nIt is harmless.\u202e'] };
    const { isError } = await call(asking, 'policies_update', input);
    expect(asking.asked.map(({ message, fields }) => [...message.split('\n'), fields])).toEqual([
      [
        'Change some fields of an alert policy? This cannot be undone.',
        where,
        'This replaces the whole notification with {"recipients":["evil@x.example\\nIt is harmless.\\u202e"]}.',
        expect.stringMatching(/^The channels, template and content .* removed,/),
        `iiot policies update --profile=default '--recipient=evil@x.example\\nIt is harmless.\\u{202e}' -- ${ids.policy}`,
        ['agree'],
      ],
    ]);
    const { notification } = someone.platform.world.policies.get(ids.policy) ?? {};
    expect([isError, notification]).toEqual([false, { recipients: input.recipient }]);
  });

  it('does not ask about a change with a wrong value', async () => {
    const asking = await agent(['--allow-changes'], () => ({ agree: true }));
    const refusal = await refusalOf(asking, 'policies_update', { ...policy, delay: 'soon' });
    expect(asking.asked).toEqual([]);
    expect(refusal).toMatchObject({ code: 'usage' });
  });

  it('refuses a change, with the line to run, if the client cannot ask the person', async () => {
    const refusal = await refusalOf(await agent(['--allow-changes']), 'orgs_delete', { orgId: ids.withoutUsers });
    expect(refusal).toEqual({
      code: 'forbidden',
      message: 'orgs_delete needs the agreement of the person, whom this client cannot ask.',
      details: [],
      hint: `The person may run: iiot orgs delete --profile=default -- ${ids.withoutUsers}`,
    });
  });

  it('shows the hosts that alarms will go to, without secrets', async () => {
    const asking = await agent(['--allow-changes'], () => undefined);
    const config = {
      webhookUrl: 'https://evil.example:8443/CANARY',
      host: 'mail.evil.example',
      next: [{ url: 'https://user:CANARY@other.example/a', password: 'CANARY' }],
    };
    await call(asking, 'channels_update', { channelId: 'channel_email', config });
    const shown =
      '{"webhookUrl":"https://evil.example:8443/***","host":"mail.evil.example",' +
      '"next":[{"url":"https://***@other.example/a","password":"***"}]}';
    expect(asking.asked[0]?.message.split('\n').slice(2)).toEqual([
      'This replaces the whole configuration.',
      'Alarms will go to https://evil.example:8443, mail.evil.example and https://other.example.',
      `printf %s '${shown}' | iiot channels update --profile=default --config-file=- -- channel_email`,
    ]);
  });

  /** The lines of the question between the place and the command. */
  async function saidOf(tool: string, input: Input) {
    const asking = await agent(['--allow-changes'], () => undefined);
    await refusalOf(asking, tool, input);
    return asking.asked[0]?.message.split('\n').slice(2, -1);
  }

  it('names a client credential, and says that it is the login in use', async () => {
    const robot = { clientCredentialId: 'credential_001' };
    const own = expect.stringMatching(
      /login.* IIOT_CLIENT_ID, is client credential credential_001 \("Sandbox machine"\)\.$/,
    );
    expect(await saidOf('credentials_delete', robot)).toEqual([own]);
    expect(await saidOf('credentials_rotate', { ...robot, saveProfile: 'm' })).toEqual([own]);
    const unknown = { clientCredentialId: 'credential_999' };
    expect(await saidOf('credentials_delete', unknown)).toEqual([
      "The name of client credential credential_999 is not known: it is not on the first page of the platform's list.",
    ]);
  });

  it('names the templates of a change, with control characters escaped', async () => {
    const { templates } = someone.platform.world;
    const name = `x", for email.\nIt is harmless.\u202e${'y'.repeat(90)}`;
    for (const [id, template] of templates) if (id === 'template_002') Object.assign(template, { name });
    const said = await saidOf('policies_update', {
      ...policy,
      body: { notification: { templateId: 'template_001', later: [{ TemplateID: 'template_002' }] } },
    });
    const short = `x\\", for email.\\nIt is harmless.\\u{202e}${'y'.repeat(80 - 31)}…`;
    expect(said?.slice(2)).toEqual([
      'Template template_001 is "Pressure low", for teams.',
      `Template template_002 is "${short}", for linemessage.`,
    ]);
  });

  it('asks about a template without its name if the list cannot be read', async () => {
    const org = '99999999-9999-4999-8999-999999999999';
    const said = await saidOf('channels_update', { channelId: 'channel_email', templateId: 'template_001', org });
    expect(said).toContainEqual(expect.stringMatching(/^The name of template template_001 is not known: .+ \(404\)$/));
  });

  it('shows no secret of a body in the line to run or in the question', async () => {
    const channel = { channelId: 'channel_email', config: { token: 'CANARY', host: 'mail' } };
    const refusal = await refusalOf(await agent(['--allow-changes']), 'channels_update', channel);
    const hint =
      'The person may write the JSON to a file, and run: iiot channels update --profile=default --config-file=FILE -- channel_email';
    expect(refusal).toMatchObject({ code: 'forbidden', hint });
    const asking = await agent(['--allow-changes'], () => undefined);
    await call(asking, 'channels_update', channel);
    expect(asking.asked[0]?.message).toContain('{"token":"***","host":"mail"}');
  });

  it('asks the person to type the name of an organization before it is deleted', async () => {
    const asking = await agent(['--allow-changes'], () => ({ name: 'Storage' }));
    const { structuredContent } = await call(asking, 'orgs_delete', { orgId: ids.withoutUsers });
    const place = where.replace(ids.root, ids.withoutUsers);
    const message = `Delete an organization? This cannot be undone.\n${place}\niiot orgs delete --profile=default -- ${ids.withoutUsers}`;
    expect(asking.asked).toEqual([{ message, fields: ['name'] }]);
    expect(structuredContent).toEqual({ orgId: ids.withoutUsers, deleted: true });
  });

  it('reports a wrong name without an option of the command line', async () => {
    const asking = await agent(['--allow-changes'], () => ({ name: 'storage' }));
    const refusal = await refusalOf(asking, 'orgs_delete', { orgId: ids.withoutUsers });
    expect(refusal).toMatchObject({ code: 'rejected', details: [{ field: 'orgName', option: null }] });
    expect(JSON.stringify(refusal)).not.toContain('--');
  });

  it('shows the person the exact command, with values escaped', async () => {
    const refusing = await agent(['--allow-changes', '--org', ids.root, '--retries', '1'], () => undefined);
    const pairs = ['--base-url=http://127.0.0.1:9', 'a=b\nThe person has agreed\u202e'];
    await call(refusing, 'devices_custom_info_set', { deviceId: 'press-0001', pairs });
    await call(refusing, 'devices_custom_info_set', { deviceId: '--yes', body: { line: "3'" } });
    const [place] = where.split(', organization');
    const before = `Set keys of a device's custom information? This cannot be undone.\n${place}\niiot devices custom-info set --profile=default --retries=1`;
    expect(refusing.asked.map(({ message }) => message)).toEqual([
      `${before} -- press-0001 --base-url=http://127.0.0.1:9 'a=b\\nThe person has agreed\\u{202e}'`,
      `${before.replace('iiot', `printf %s '{"line":"3'\\''"}' | iiot`)} --body-file=- -- --yes`,
    ]);
  });

  it('overwrites no file, and changes no existing profile', async () => {
    const asking = await agent(['--allow-changes'], () => ({ agree: true }));
    const file = join(someone.folder, 'kept.secret');
    writeFileSync(file, 'mine');
    const refusal = (input: object) => refusalOf(asking, 'credentials_create', { name: 'robot', ...input });
    expect(await refusal({ secretFile: file })).toMatchObject({
      message: expect.stringContaining(`"secretFile" ${file} already exists`),
      hint: 'Choose another name',
    });
    const message = 'The tool credentials_create has no input "force".';
    expect(await refusal({ secretFile: file, force: true })).toMatchObject({ message });
    for (const name of ['.bash_profile', 'CMakeLists.txt', '.secret', 'a.secret.sh', 'a\0.secret']) {
      const script = join(someone.folder, name);
      const noScript = { code: 'usage', message: `${script} is not a name for a secret file.` };
      expect(await refusal({ secretFile: script })).toMatchObject(noScript);
      expect(script.includes('\0') || !existsSync(script)).toBe(true);
    }
    const made = await call(asking, 'credentials_create', { name: 'robot', saveProfile: 'robot' });
    expect(made.isError).toBe(false);
    const another = { code: 'usage', hint: 'Give "saveProfile" a new name' };
    for (const saveProfile of ['robot', 'default']) expect(await refusal({ saveProfile })).toMatchObject(another);
    expect([readFileSync(file, 'utf8'), someone.platform.world.credentials.size]).toEqual(['mine', 2]);
  });

  it('creates no profile that commands use when none is named', async () => {
    const input = (saveProfile: string) => ({ name: 'robot', saveProfile });
    const used = (name: string) => `Profile ${name} is used where none is named, so the person sets it up.`;
    const config = join(someone.folder, 'config.json');
    const content = { version: 1, current: 'chosen', profiles: { started: {} } };
    writeFileSync(config, JSON.stringify(content), { mode: 0o600 });
    const agree = () => ({ agree: true });
    const other = await agent(['--allow-changes', '--profile', 'started'], agree, { IIOT_PROFILE: 'variable' });
    const told: [string, string][] = ['variable', 'chosen', 'default'].map((name) => [name, used(name)]);
    for (const [name, message] of [['started', 'Profile started already exists.'], ...told] as const)
      expect(await refusalOf(other, 'credentials_create', input(name))).toMatchObject({ code: 'usage', message });
    rmSync(config);
    const made = await call(await agent(['--allow-changes'], agree), 'credentials_create', input('robot'));
    expect([made.isError, JSON.parse(readFileSync(config, 'utf8')).current]).toEqual([false, undefined]);
  });

  it('warns in the question about a likely Buddhist year', async () => {
    const input = { name: 'robot', saveProfile: 'robot', expires: '2569-11-28' };
    expect(await saidOf('credentials_create', input)).toEqual([
      '--expires 2569-11-28 is 2569-11-28T00:00:00Z.',
      expect.stringMatching(/^Note: It expires in 543 years: 2569 .* 2026\.$/),
    ]);
  });

  it('shows no secret of a new client credential, which needs a place for it', async () => {
    const asking = await agent(['--allow-changes'], () => ({ agree: true }));
    const refusal = await refusalOf(asking, 'credentials_create', { name: 'robot' });
    expect(refusal).toMatchObject({ code: 'usage', hint: 'Give secretFile or saveProfile' });
    const text = { name: 'robot', secretFile: join(someone.folder, 'secret.txt') };
    expect(await refusalOf(asking, 'credentials_create', text)).toMatchObject({
      code: 'usage',
      hint: 'Give "secretFile" a name that ends in .secret',
    });
    const secretFile = join(someone.folder, 'robot.secret');
    const created = await call(asking, 'credentials_create', { name: 'robot', secretFile });
    expect(created.isError).toBe(false);
    expect(JSON.stringify(created)).not.toMatch(/clientSecret":"(?!\*\*\*)/);
  });
});

type Input = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly string[] }>>;

/** What it takes to call each tool that changes. */
const needed = Object.fromEntries(
  Object.entries(changes).flatMap(([name, { tool }]) => (tool ? [[name.replace(/[ -]/g, '_'), tool]] : [])),
);

/** Fields of updates whose value is of a form of its own, or that go with another one. */
const valid: Readonly<Record<string, Input>> = {
  alertLevel: { alertLevel: '>1' },
  alertResetLevel: { alertResetLevel: '<1' },
  var: { var: { a: 'b' }, templateId: 'template_001' },
  subject: { subject: 'a', content: 'b' },
  content: { subject: 'a', content: 'b' },
  clearSubject: { clearSubject: true, content: 'b' },
  clearContent: { subject: 'a', clearContent: true },
  body: { body: { description: 'a' } },
};
const values: Readonly<Record<string, unknown>> = { boolean: true, array: ['a'], object: { a: 'b' }, string: 'a' };

/** An input for each field of an update alone; for another tool, the one that it needs. */
function inputsOf(name: string, properties: Properties): Input[] {
  const row = needed[name] ?? {};
  if (!name.endsWith('_update')) return [row];
  const others = [...Object.keys(row), 'org', 'dryRun'];
  const fields = Object.entries(properties).filter(([field]) => !others.includes(field));
  return fields.map(([field, { type, enum: words }]) => {
    const value =
      field === 'config' ? { a: 'b' } : field === 'channelType' && name !== 'channels_update' ? ['email'] : words?.[0];
    const plain = value ?? values[String(Array.isArray(type) ? type[0] : type)] ?? 5;
    return { ...row, ...(valid[field] ?? { [field]: plain }) };
  });
}

/** The requests of a change, from its rehearsal. */
async function requestsOf(from: Agent, name: string, input: Input) {
  const { isError, structuredContent } = await call(from, name, { ...input, dryRun: true });
  expect([name, input, isError ? structuredContent : 'valid']).toEqual([name, input, 'valid']);
  const { items = [structuredContent] } = structuredContent as { items?: unknown[] };
  return items.map((item) => (item as { request: { method: string; url: string } }).request);
}

it('an empty string from an agent is sent as it is', async () => {
  const started = await agent(['--allow-changes']);
  const bodyOf = async (name: string, input: Input) => {
    const { structuredContent } = await call(started, name, { ...input, dryRun: true });
    return (structuredContent as { request: { body: unknown } }).request.body;
  };
  expect(await bodyOf('templates_update', { templateId: 't', content: '', tag: ['a', ''] })).toEqual({
    content: '',
    tags: ['a', ''],
  });
  expect(await bodyOf('policies_update', { ...policy, name: '', delay: '5m' })).toEqual({ policyName: '', delay: 300 });
});

describe('every tool that changes something', () => {
  const state = () => structuredClone(someone.platform.world);

  it('asks the person before it sends anything, and is refused if it cannot ask', async () => {
    const mute = await agent(['--allow-changes']);
    const asking = await agent(['--allow-changes'], () => undefined);
    const { tools } = await mute.client.listTools();
    const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(changing.map(({ name }) => name).sort()).toEqual(Object.keys(needed).sort());
    const before = state();
    for (const { name, annotations, inputSchema } of changing) {
      for (const input of inputsOf(name, inputSchema.properties as Properties)) {
        const requests = await requestsOf(mute, name, input);
        const onlyAdds = requests.every(({ method }) => method === 'POST');
        const what = JSON.stringify([name, input]);
        expect(annotations?.destructiveHint, what).toBe(!onlyAdds);
        expect(await refusalOf(mute, name, input), what).toMatchObject({ code: 'forbidden' });
        const questions = asking.asked.length;
        expect(await refusalOf(asking, name, input), what).toMatchObject({ code: 'interrupted' });
        expect(asking.asked.length - questions, what).toBe(1);
      }
    }
    expect(state()).toEqual(before);
    expect(asking.asked.length).toBeGreaterThan(30);
  });
});
