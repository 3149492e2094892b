/** Reads the import lines and holds who may import whom. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type File = {
  readonly name: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly string[];
};

const files: readonly File[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(`src/${name}`, 'utf8');
    const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    const lines = /^(?:import|export)\s[^;']*?\sfrom '([^']+)'|\bimport\('([^']+)'\)/gm;
    const imports = [...code.matchAll(lines)].map(([, early, late]) => early ?? late ?? '');
    return { name, room: name.includes('/') ? (name.split('/')[0] ?? '') : 'src', text: code, imports };
  });

/** The room or the file of src/ that an import leads to; undefined for a package. */
function placeOf(file: File, path: string): string | undefined {
  if (!path.startsWith('.')) return undefined;
  const inner = path.replace(/^\.\.?\//, '');
  if (inner.includes('/')) return inner.split('/')[0];
  return path.startsWith('./') && file.room !== 'src' ? file.room : inner;
}

/** What each room may import beside itself. `src` files are named; commands, shell and the files of src/ stand above all rooms. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  sandbox: ['contract'],
  schedule: ['contract', 'failure.ts'],
  output: ['failure.ts'],
  terminal: ['failure.ts', 'output'],
  store: ['failure.ts'],
  bulk: ['failure.ts', 'files.ts', 'json-file.ts', 'store'],
  auth: ['contract', 'failure.ts', 'fetch.ts', 'loopback.ts', 'store'],
  http: ['contract', 'failure.ts', 'fetch.ts', 'loopback.ts', 'auth', 'context.ts', 'target.ts'],
};

describe('the rooms', () => {
  it.each(Object.entries(arrows))('%s imports itself and only %j', (room, others) => {
    const wrong = files
      .filter((file) => file.room === room)
      .flatMap((file) => file.imports.map((path) => [file.name, placeOf(file, path)] as const))
      .filter(([, place]) => place !== undefined && place !== room && !others.includes(place))
      .map(([name, place]) => `${name} imports ${place}`);
    expect(wrong).toEqual([]);
  });

  it('of http/ only open.ts, which puts a wire together, meets the context, as a type', () => {
    const met = files.filter(({ room, text }) => room === 'http' && /\/(context|target)\.ts'/.test(text));
    expect(met.map(({ name }) => name)).toEqual(['http/open.ts']);
    expect(met.filter(({ text }) => /^import (?!type ).*\/context\.ts'/m.test(text))).toEqual([]);
  });

  it('only commands meet the sandbox', () => {
    const others = files.filter(({ room }) => room !== 'sandbox' && room !== 'commands');
    expect(
      others.filter(({ imports }) => imports.some((path) => path.includes('/sandbox/'))).map(({ name }) => name),
    ).toEqual([]);
  });
});

function filesWith(pattern: RegExp): string[] {
  return files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();
}

describe('the world is an argument', () => {
  it('the process is touched where the world is made, and where a terminal has to be left as it was', () => {
    expect(filesWith(/(?<![.\w])process\.|from 'node:process'/)).toEqual([
      // The one-file program begins there, and finds its files inside of itself.
      'executable.ts',
      // Run before everything else, with the process as an argument; and texts.ts below.
      'kept-code.ts',
      'launch.ts',
      'program-files.ts',
      // Signals are passed on to the command that is rehearsed, and end all that it has started.
      'sandbox/process-group.ts',
      'start.ts',
      // Who holds a lock is told by its number and by whether it lives.
      'store/owner.ts',
      // Signals that come while a terminal is in raw mode.
      'terminal/hang-up.ts',
      'terminal/interruption.ts',
      'terminal/keyboard.ts',
      'texts.ts',
    ]);
  });

  it('the clock is read where the world is made, and by a sandbox that runs by itself', () => {
    expect(filesWith(/Date\.now\b|new Date\(\)/)).toEqual(['sandbox/server.ts', 'start.ts']);
    // How long a lock is waited for, and how long saving took: differences, which no clock change moves.
    expect(filesWith(/performance\.now|hrtime/)).toEqual(['sandbox/saver.ts', 'start.ts', 'store/lock.ts']);
  });

  it('dice are thrown where the world is made, and by those who wait for one lock', () => {
    expect(filesWith(/Math\.random/)).toEqual(['start.ts', 'store/lock.ts']);
  });

  it('nobody writes to the console', () => {
    expect(filesWith(/(?<!['.\w])console\./)).toEqual([]);
  });

  it('sockets are opened by http/ and listened on by the sandbox', () => {
    const open = files.filter(({ imports }) =>
      imports.some((path) => /^(node:(net|http|https|tls|dgram|http2)|undici)(\/|$)/.test(path)),
    );
    expect([...new Set(open.map(({ room }) => room))].sort()).toEqual(['http', 'sandbox']);
    expect(open.filter(({ room }) => room === 'sandbox').map(({ name }) => name)).toEqual(['sandbox/server.ts']);
  });

  it('only main.ts prints a failure, and nobody ends the process but where it was started', () => {
    expect(filesWith(/JSON\.stringify\(\{ error:/)).toEqual(['main.ts']);
    expect(filesWith(/process\.exit\(/)).toEqual(['start.ts']);
  });
});

describe('packages', () => {
  const uses = files.flatMap((file) =>
    file.imports
      .filter((path) => !path.startsWith('.') && !path.startsWith('node:'))
      .map((path) => ({ file, path, name: path.split('/', path.startsWith('@') ? 2 : 1).join('/') })),
  );
  const names = [...new Set(uses.map(({ name }) => name))].sort();

  it.each(names)('%s is imported in one file, the one that owns it', (name) => {
    const owners = new Set(uses.filter((use) => use.name === name).map(({ file }) => file.name));
    expect([...owners]).toHaveLength(1);
  });

  it('only the reader of command lines is loaded at once; all others when they are needed', () => {
    const early = uses.filter(({ file, path }) =>
      new RegExp(`^import (?!type )[^;]*from '${path}'`, 'm').test(file.text),
    );
    expect([...new Set(early.map(({ name }) => name))]).toEqual(['commander']);
  });
});
