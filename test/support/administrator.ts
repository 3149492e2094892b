/** Somebody who is logged in everywhere: with a profile for each place of two platforms, and files to work with. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { openNetwork } from '../../src/network/network.ts';
import { put } from '../process/crowd.ts';
import { openAgent } from './agent.ts';
import { nothing } from './here.ts';
import { openTenants, org, passwordOf, type Tenants, tenantOf, type Where } from './tenants.ts';
import { person, type Seen } from './world.ts';

const network = await openNetwork({ env: {} });

/** Who is logged in by which profile. */
const profiles = {
  ada: ['/prod acme', 'ada@x.test'],
  bob: ['/prod acme', 'bob@x.test'],
  robot: ['/prod acme', 'client-prod-acme-1'],
  globex: ['/prod globex', 'ada@x.test'],
  globot: ['/prod globex', 'client-prod-globex-1'],
  staging: ['/staging acme', 'ada@x.test'],
  stagbot: ['/staging acme', 'client-staging-acme-1'],
} as const satisfies Readonly<Record<string, readonly [Where, string]>>;

export type Env = Readonly<Record<string, string>>;
type Given = { readonly env?: Env | undefined; readonly stdin?: string; readonly typed?: string };
export type Administrator = Awaited<ReturnType<typeof openAdministrator>>;

/**
 * PROD, STAGING and {} in a line are the base URLs and the folder of the settings.
 * @param claims whether tokens tell their tenant
 * @param wire 'network' for connections as the settings make them
 */
export async function openAdministrator({ claims = true, wire = network as typeof network | 'network' } = {}) {
  const tenants = await openTenants({ claims });
  const me = person({ fetch: wire, env: nothing, ...(wire === 'network' && { now: Date.now }) });
  const { folder } = me;
  const at = (name: string) => join(folder, name);
  const read = (name: string) => readFileSync(at(name), 'utf8');
  const bases = { '{}': folder, PROD: tenants.baseOf('/prod acme'), STAGING: tenants.baseOf('/staging acme') };
  const whole = (text: string) => Object.entries(bases).reduce((all, [word, is]) => all.replaceAll(word, is), text);
  keepProfiles(folder, tenants);
  me.file('d.csv', 'deviceId,line\npress-1,1\nbad-2,2\npress-3,3\n');
  me.file('b.csv', 'Name,cron,enabled,run-on-startup\nnight,0 0 2 * * ?,yes,no\nbad,0 0 3 * * ?,yes,no\n');
  me.file('c.csv', 'clientCredentialId\ncredential_001\nbad\n');
  mkdirSync(at('tmp'));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = at('tmp'); // kept texts are there

  async function run(line: string, { env, stdin, typed }: Given = {}): Promise<Seen> {
    const terminal = typed === undefined ? undefined : answering(typed);
    const streams = terminal ? { ...terminal.streams, columns: 400 } : { stdin };
    const seen = await me.iiot(line.split(' ').map(whole), { env: { TERM: 'dumb', ...env }, ...streams });
    return { ...seen, stderr: terminal?.text() ?? seen.stderr };
  }
  return {
    ...{ tenants, me, at, read, whole, run },
    /** The same, and only the requests count that are sent from now on. */
    fresh(line: string, given?: Given) {
      tenants.arrived.splice(0);
      return run(line, given);
    },
    login(profile: string, where: Where, account = 'ada@x.test') {
      const there = `--base-url ${tenants.baseOf(where)} --tenant ${tenantOf(where)} --account ${account}`;
      return run(`login --profile ${profile} ${there} --password-stdin`, { stdin: passwordOf(where) });
    },
    /** Writes values of a profile by hand. */
    set(profile: string, values: object) {
      const { profiles, ...others } = JSON.parse(read('config.json'));
      const changed = { ...profiles[profile], ...JSON.parse(whole(JSON.stringify(values))) };
      me.file('config.json', JSON.stringify({ ...others, profiles: { ...profiles, [profile]: changed } }));
    },
    /** Starts `iiot mcp`, does something else, and lets an agent call a tool, to which the person agrees. */
    async toolCalled([name, input]: readonly [string, object], meanwhile: () => Promise<Seen>) {
      const { client, asked, ended } = await openAgent(me, ['--allow-changes'], () => ({ agree: true }));
      const { exit, stderr } = await meanwhile();
      if (exit !== 0) throw new Error(stderr);
      tenants.arrived.splice(0);
      const { structuredContent } = await client.callTool({ name, arguments: { ...input } });
      await client.close();
      await ended;
      return { asked: asked.map(({ message }) => message).join('\n'), text: JSON.stringify(structuredContent) };
    },
    logins: () => JSON.parse(read('credentials.json')).logins,
    async leave() {
      process.env.TMPDIR = TMPDIR;
      await tenants.close();
      me.leave();
    },
  };
}

/** Writes the profiles as the program does, with one organization for all. */
function keepProfiles(folder: string, tenants: Tenants): void {
  const all = Object.entries(profiles).map(([name, [where, account]]) => {
    const login = tenants.login(where, account);
    const { base: baseUrl, tenant, app } = login;
    const values = { baseUrl, ...(login.account && { tenant, app, account }), org };
    return { name, login, values };
  });
  const named = (key: 'login' | 'values') => Object.fromEntries(all.map(({ name, [key]: value }) => [name, value]));
  put(folder, 'config.json', { version: 1, current: 'ada', profiles: named('values') });
  put(folder, 'credentials.json', { version: 1, logins: named('login') });
}

/** A terminal at which somebody answers each question once it is there: with what is typed, or by something else. */
export function answering(...answers: readonly (string | (() => void))[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const left = [...answers];
  let [text, answered] = ['', 0];
  const write: Writable['_write'] = (chunk, _encoding, done) => {
    text += chunk;
    // Whatever is typed before it is asked for is thrown away.
    if (left.length > 0 && /\(y\/N\)|\(hidden\)|: $/.test(text.slice(answered))) {
      const answer = left.shift() ?? '';
      answered = text.length;
      setImmediate(() => (typeof answer === 'string' ? stdin.write(answer) : answer()));
    }
    done();
  };
  const stderr = Object.assign(new Writable({ write }), { isTTY: true, columns: 1000 });
  return { streams: { stdin, stderr }, text: () => text };
}
