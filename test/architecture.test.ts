/** Reads the import lines, types included, and holds who may import whom. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { functionsOf, sourcesOf } from '../build/source-size.ts';

type File = {
  readonly name: string;
  readonly room: string;
  readonly text: string;
  readonly imports: readonly string[];
};

/** The folder of src/ that a file lies in, or the file itself where it lies in src/. */
function roomOf(name: string): string {
  return name.split('/')[0] ?? '';
}

const files: readonly File[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(`src/${name}`, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    const lines = /^(?:import|export)\s[^;']*?\sfrom '([^']+)'|\bimport\('([^']+)'\)/gm;
    const imports = [...text.matchAll(lines)].map(([, early, late]) => early ?? late ?? '');
    return { name, room: roomOf(name), text, imports };
  });

/** From the top down: a room imports itself and what stands below it, types included. */
const floors = (
  'launch main.ts cli commands mcp shell doctor command http auth sandbox work rows preview working-copy store terminal output ' +
  'files contract quartz network web text place.ts failure.ts version.ts'
).split(' ');

/** What stands above another room and still may not import it: if both ends of the wire shared code, a rehearsal would prove nothing. */
const strangers: Readonly<Record<string, readonly string[]>> = {
  http: ['sandbox'],
  auth: ['sandbox'],
  sandbox: ['work', 'rows', 'store', 'terminal', 'output', 'files', 'network'],
  work: ['store', 'terminal', 'output', 'contract', 'network'],
  rows: ['store', 'terminal', 'output', 'contract', 'network'],
};

/** The files of src/ that a file imports. */
function targetsOf({ name, imports }: File): string[] {
  return imports.filter((path) => path.startsWith('.')).map((path) => posix.join(posix.dirname(name), path));
}

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  return floors.indexOf(from) < floors.indexOf(to) && strangers[from]?.includes(to) !== true;
}

describe('the folders of src', () => {
  it('are those of the list, with at most four files beside them', () => {
    expect([...new Set(files.map(({ room }) => room))].filter((room) => !floors.includes(room))).toEqual([]);
    expect(files.filter(({ name }) => !name.includes('/')).length).toBeLessThanOrEqual(4);
  });

  it('import only from folders below them', () => {
    const wrong = files.flatMap((file) =>
      targetsOf(file)
        .filter((target) => !isAllowed(file.room, roomOf(target)))
        .map((target) => `${file.name} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('have no circular imports', () => {
    expect(circles()).toEqual([]);
  });
});

/** The first circle found from each file, by a walk in depth. */
function circles(): string[] {
  const graph = new Map(files.map((file) => [file.name, targetsOf(file)]));
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  const walk = (name: string, path: readonly string[]) => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      found.push([...path.slice(path.indexOf(name)), name].join(' -> '));
      return;
    }
    state.set(name, 'open');
    for (const next of graph.get(name) ?? []) walk(next, [...path, name]);
    state.set(name, 'done');
  };
  for (const name of graph.keys()) walk(name, []);
  return found;
}

function filesWith(pattern: RegExp): string[] {
  return files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .sort();
}

describe('the source code', () => {
  it('uses the process object in few files', () => {
    expect(filesWith(/(?<![.\w])process\.|from 'node:process'/)).toEqual([
      // Ctrl-C is for the editor that runs.
      // Signals are passed on to the command that is rehearsed, and end all that it has started.
      'commands/sandbox/process-group.ts',
      // Who holds a lock is told by its number and by whether it lives.
      'files/owner.ts',
      // Nobody else's link is followed.
      'files/private-file.ts',
      // Run before everything else, with the process as an argument.
      'launch/code-cache.ts',
      'launch/code-file.ts',
      // The one-file program begins there, and finds its files inside of itself.
      'launch/executable.ts',
      'launch/launch.ts',
      'launch/program-files.ts',
      'launch/start.ts',
      'launch/texts.ts',
      // Run by the build, which names a file.
      'launch/write-texts.ts',
      // A signal ends an expression that may never end.
      'output/jq.ts',
      // Signals that come while a terminal is in raw mode.
      'terminal/interruption.ts',
      'terminal/questions.ts',
    ]);
  });

  it('reads the clock only at the start and in the sandbox', () => {
    expect(filesWith(/Date\.now\b|new Date\(\)/)).toEqual(['launch/start.ts', 'sandbox/server.ts']);
    // How long a lock or a response is waited for, and how long saving took: differences, which no clock change moves.
    expect(filesWith(/performance\.now|hrtime/)).toEqual([
      'files/lock.ts',
      'launch/start.ts',
      'network/deadline.ts',
      'sandbox/server.ts',
    ]);
  });

  it('uses Math.random only at the start and for waiting for a lock', () => {
    expect(filesWith(/Math\.random/)).toEqual(['files/lock.ts', 'launch/start.ts']);
  });

  it('opens files for writing in one place, which follows no link', () => {
    expect(filesWith(/(?<![.\w])openSync\((?!.*(?:O_RDONLY|'r'\)|\/proc\/self))/)).toEqual(['files/open-regular.ts']);
    // What is open is written by its number.
    const byName =
      /\b(?:(?:write|append|copy)File|cp|truncate|(?:sym)?link)(?:Sync)?\((?!file[,)]|opened[,)])|createWriteStream/;
    expect(filesWith(byName)).toEqual(['launch/write-texts.ts']);
    expect(filesWith(/'node:fs\/promises'/)).toEqual(['auth/secret-file.ts', 'commands/sandbox/process-group.ts']);
    expect(files.find(({ name }) => name === 'auth/secret-file.ts')?.text).toMatch(
      /await open\(path, constants\.O_RDONLY \|/,
    );
  });

  it('removes folders only in the build and the sandbox', () => {
    expect(filesWith(/(?<![.\w])rm(?:Sync)?\(/)).toEqual([
      'commands/sandbox/process-group.ts',
      'launch/write-texts.ts',
    ]);
  });

  it('does not use the console', () => {
    expect(filesWith(/(?<!['.\w])console\./)).toEqual([]);
  });

  it('opens connections only in network/, and listens only in web/', () => {
    const open = files.filter(({ imports }) =>
      imports.some((path) => /^(node:(net|http|https|tls|dgram|http2)|undici|@hono)(\/|$)/.test(path)),
    );
    expect([...new Set(open.map(({ room }) => room))].sort()).toEqual(['network', 'web']);
  });

  it('prints errors only in cli/report.ts, and ends the process in one place', () => {
    expect(filesWith(/JSON\.stringify\(\{ error\b/)).toEqual(['cli/report.ts']);
    expect(filesWith(/process\.exit\(/)).toEqual(['launch/start.ts']);
  });
});

describe('packages', () => {
  const uses = files.flatMap((file) =>
    file.imports
      .filter((path) => !path.startsWith('.') && !path.startsWith('node:'))
      .map((path) => ({ file, path, name: path.split('/', path.startsWith('@') ? 2 : 1).join('/') })),
  );
  const names = [...new Set(uses.map(({ name }) => name))].sort();

  it.each(names)('are used in one folder of src only: %s', (name) => {
    const owners = new Set(uses.filter((use) => use.name === name).map(({ file }) => file.room));
    expect([...owners]).toHaveLength(1);
  });

  it('are loaded when they are needed, except commander', () => {
    const early = uses.filter(({ file, path }) =>
      new RegExp(`^import (?!type )[^;]*from '${path}'`, 'm').test(file.text),
    );
    expect([...new Set(early.map(({ name }) => name))]).toEqual(['commander']);
  });
});

describe('the source code', () => {
  const sources = sourcesOf('src');

  it('has functions of at most 80 lines and three variables declared with let', () => {
    const long = sources.flatMap(functionsOf).filter(({ lines, lets }) => lines > 80 || lets > 3);
    expect(long).toEqual([]);
  });

  it('has a Command type of at most 15 fields, and 15 optional ones with its groups', () => {
    const { text } = files.find(({ name }) => name === 'command/command.ts') as File;
    const fields = (type: string) => {
      const body = new RegExp(`^export type ${type} = \\{\\n(.*?)^\\};`, 'ms').exec(text)?.[1] ?? '';
      return [...body.matchAll(/^ {2}readonly (\w+)(\??):/gm)].map(([, name, mark]) => `${name}${mark}`);
    };
    const groups = ['Command', 'Changes', 'Without', 'ForShell'].map(fields);
    expect(groups.map((names) => names.length > 0)).toEqual([true, true, true, true]);
    expect(groups[0]?.length).toBeLessThanOrEqual(15);
    expect(groups.flat().filter((name) => name.endsWith('?')).length).toBeLessThanOrEqual(15);
  });

  it('declares each type name in one file', () => {
    const names = sources.flatMap(({ tree }) =>
      tree.statements
        .filter((each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each))
        .map((each) => each.name.text),
    );
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has files of at most 400 lines', () => {
    expect(sources.filter(({ lines }) => lines > 400).map(({ name, lines }) => ({ name, lines }))).toEqual([]);
  });
});
