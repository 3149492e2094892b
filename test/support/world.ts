import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { World } from '../../src/command/context.ts';
import { main } from '../../src/main.ts';
import type { Fetch } from '../../src/network/fetch.ts';
import type { EmbeddedPlatform } from '../../src/sandbox/handler.ts';
import { createPlatform, type PlatformOptions } from '../../src/sandbox/platform.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { mustBeListed } from './listed.ts';
import { platformFetch } from './platform-fetch.ts';

/** Where a run of rows went, which test/process/rows.test.ts looks at: the folder is another one each time. */
const endOfRun = /, at http\S+, profile [^,\n]+?(?:, organization \S+)?, (?:standard input|[^\n"]*?)(?=\.(?:$|")|$)/gm;

/** The visible result of one command. */
export type Seen = { readonly exit: number; readonly stdout: string; readonly stderr: string };

/** The end of a command line that is refused, and says so to a person. */
export function refused(sentence: string, hint: string): Seen {
  return { exit: 2, stdout: '', stderr: `error: ${sentence}\nhint: ${hint}\n` };
}

export type Person = ReturnType<typeof person>;

type Sent = { readonly request: string; readonly body: string | undefined };

export type Given = {
  readonly stdin?: string | Uint8Array | Readable;
  /** Takes the place of a standard output that is collected. */
  readonly stdout?: Writable;
  /** The same of standard error. */
  readonly stderr?: Writable;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Stdout and stderr are a terminal of this width, without colour. */
  readonly columns?: number;
  /** Aborted by Ctrl-C. */
  readonly interrupt?: AbortSignal;
};

const noon = Date.UTC(2026, 0, 1, 12);

/**
 * A user at a shell without a terminal: with an empty configuration folder, the embedded platform instead of the network, and by default the
 * sandbox's client credential in the environment.
 */
export function person(
  options: Partial<PlatformOptions> & {
    /** 'network' for the program's own. */
    readonly fetch?: Fetch | 'network';
    readonly env?: Given['env'];
    /** Linux by default. */
    readonly system?: NodeJS.Platform;
    readonly accountHome?: () => string;
  } = {},
) {
  let now = noon;
  const requests: string[] = [];
  const sent: Sent[] = [];
  let made: EmbeddedPlatform | undefined;
  // Made on the first request: making its users and templates takes longer than most commands do.
  const platform = () => {
    made ??= createPlatform({ now: () => now, key: Buffer.from('a key of the tests'), ...options });
    return made;
  };
  const folder = mkdtempSync(join(tmpdir(), 'iiot-test-'));
  const env = { ...machine, IIOT_CONFIG_DIR: folder, ...options.env };
  const embedded: Fetch = (url, { method, headers, body, signal }) =>
    platformFetch(
      platform(),
      new Request(url, { method, headers, signal, ...(body !== undefined && { body }), redirect: 'manual' }),
    );
  const { fetch: wire = embedded } = options;
  const fetch: Fetch = (url, init) => {
    const request = `${init.method} ${url.slice(new URL(url).origin.length)}`;
    requests.push(request);
    if (request !== 'POST /identity/connect/token') sent.push({ request, body: init.body });
    return wire === 'network' ? embedded(url, init) : wire(url, init);
  };
  return {
    get platform(): EmbeddedPlatform {
      return platform();
    },
    /** The requests received, as "METHOD /path?query". */
    requests: requests as readonly string[],
    /** The same with their bodies as sent, without those that only get a token. */
    sent: sent as readonly Sent[],
    folder,
    /** Writes a file into the folder, and gives its path. */
    file(name: string, content: string) {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    env: env as Record<string, string | undefined>,
    /** Moves the clocks of both sides. */
    advance(milliseconds: number) {
      now += milliseconds;
    },
    /** Removes the configuration folder. */
    leave: () => rmSync(folder, { recursive: true, force: true }),
    /** Runs one command line against the embedded platform, in this process. */
    async iiot(words: readonly string[], given: Given = {}): Promise<Seen> {
      const stdout = collector(given.columns);
      const stderr = collector(given.columns);
      const world: World = {
        env: { ...env, ...(given.columns !== undefined && { NO_COLOR: '1' }), ...given.env },
        platform: options.system ?? 'linux',
        homedir: () => folder,
        accountHome: options.accountHome ?? (() => join(folder, 'account')),
        ...(process.getuid && { uid: process.getuid() }),
        nodeVersion: process.versions.node,
        self: [],
        text: (path) => (path.startsWith('completions/') ? readFileSync(join(project, path), 'utf8') : undefined),
        stdin: given.stdin instanceof Readable ? given.stdin : inputOf(given.stdin),
        stdout: given.stdout ?? stdout.stream,
        stderr: given.stderr ?? stderr.stream,
        now: options.now ?? (() => now),
        monotonic: () => performance.now(),
        random: () => 0,
        interrupt: given.interrupt ?? new AbortController().signal,
        ...(wire !== 'network' && { fetch }),
      };
      const exit = await main(words, world);
      mustBeListed(words, exit);
      return { exit, stdout: stdout.text(), stderr: stderr.text().replace(endOfRun, '') };
    },
  };
}

const project = join(import.meta.dirname, '../..');
/** The address of the embedded platform. */
const base = 'http://127.0.0.1:1';
const machine: Readonly<Record<string, string>> = {
  IIOT_BASE_URL: base,
  IIOT_TENANT: ids.tenantPath,
  IIOT_APP: ids.appPath,
  IIOT_ORG: ids.root,
  IIOT_CLIENT_ID: ids.clientId,
  IIOT_CLIENT_SECRET: ids.clientSecret,
};

function inputOf(content: string | Uint8Array | undefined): Readable {
  return Readable.from(content === undefined ? [] : [Buffer.from(content as string)]);
}

function collector(columns?: number) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  const text = () => Buffer.concat(chunks).toString('utf8');
  // A spinner goes back on its line, and takes away what it drew there.
  const clearLine = () => chunks.splice(0, chunks.length, Buffer.from(text().replace(/[^\n]*$/, '')));
  if (columns !== undefined) Object.assign(stream, { isTTY: true, columns, cursorTo() {}, clearLine });
  return { stream, text };
}
