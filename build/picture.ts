/** Run by `npm run picture`: types commands into a shell in a terminal, against the embedded platform, and draws the screen. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import headless from '@xterm/headless';
import { startServer } from '../src/sandbox/server.ts';
import { ids } from '../src/sandbox/world/ids.ts';
import { openTerminal, type TerminalSession } from '../test/support/pseudo-terminal.ts';
import { drawTerminal } from './terminal-svg.ts';

type Turn = { readonly sees: string; readonly types: string };

/** A line to type, and the answers to its questions. */
type Typed = { readonly line: string; readonly turns?: readonly Turn[] };

type Picture = {
  readonly file: string;
  readonly title: string;
  readonly lines: readonly Typed[];
  /** Who types: a machine with its variables, or the person whose login an earlier picture shows. */
  readonly user: 'machine' | 'person';
};

const columns = 92;
const rows = 60;

const rehearsal = `# Ctrl-C after three seconds, and what was left
timeout --foreground -s INT 3 iiot devices custom-info import fleet.csv --yes
iiot devices custom-info import fleet.csv --yes --resume
`;

const typed = (...lines: readonly string[]): readonly Typed[] => lines.map((line) => ({ line }));

const pictures = (url: string): readonly Picture[] => [
  {
    file: 'terminal',
    title: 'An import is rehearsed under faults, interrupted, and continued',
    user: 'person',
    lines: typed(
      'cat rehearsal.sh',
      "iiot sandbox exec --fault 'PUT /platform/**=503:5%' --latency 400ms -- sh rehearsal.sh",
    ),
  },
  {
    file: 'login',
    title: 'Logging in',
    user: 'person',
    lines: [
      {
        line: `iiot login --base-url ${url} --tenant factory --app console`,
        turns: [
          { sees: 'Account', types: ids.admin },
          { sees: 'Password for', types: ids.adminPassword },
          { sees: 'Organization ID', types: ids.root },
        ],
      },
      { line: 'iiot login status --check' },
    ],
  },
  {
    file: 'rows',
    title: 'One change a row',
    user: 'person',
    lines: [
      ...typed('cat alarms.csv', 'iiot policies update --rows alarms.csv', 'sed -i "s/,1.8/,<= 1.8/" alarms.csv'),
      { line: 'iiot policies update --rows alarms.csv', turns: [{ sees: 'Update 2 alert policies', types: 'y' }] },
    ],
  },
  {
    file: 'each',
    title: 'One command for many organizations',
    user: 'person',
    lines: typed(
      'cat orgs.txt',
      'iiot each --orgs-file orgs.txt -- orgs users list --role admin --limit 2; echo "exit $?"',
    ),
  },
];

async function drawPictures(): Promise<void> {
  // The address and the folder are always the same, so that a new picture differs only where the program does.
  const server = await startServer({ port: 18_080 });
  const home = join(tmpdir(), 'ada');
  mkdirSync(home, { mode: 0o700 });
  try {
    mkdirSync(join(home, 'bin'));
    symlinkSync(resolve('bin/iiot.js'), join(home, 'bin', 'iiot'));
    const fleet = Array.from(
      { length: 200 },
      (_, at) => `press-${String(at + 1).padStart(4, '0')},${(at % 4) + 1},Day\n`,
    );
    writeFileSync(join(home, 'fleet.csv'), `deviceId,line,shift\n${fleet.join('')}`);
    writeFileSync(
      join(home, 'alarms.csv'),
      `alertPolicyId,alert-level\n${ids.policy},>85\n${ids.disabledPolicy},1.8\n`,
    );
    writeFileSync(join(home, 'rehearsal.sh'), rehearsal);
    writeFileSync(join(home, 'orgs.txt'), `${ids.root}\n${ids.withDevices}\n99999999-9999-4999-8999-999999999999\n`);
    mkdirSync('docs/pictures', { recursive: true });
    for (const picture of pictures(server.url)) await draw(picture, home, server.url);
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function draw({ file, title, lines, user }: Picture, home: string, url: string): Promise<void> {
  const machine = {
    IIOT_BASE_URL: url,
    IIOT_ORG: ids.root,
    IIOT_CLIENT_ID: ids.clientId,
    IIOT_CLIENT_SECRET: ids.clientSecret,
  };
  const session = openTerminal('bash', ['--noprofile', '--norc', '-i'], {
    columns,
    rows,
    cwd: home,
    env: {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      LANG: 'C.UTF-8',
      PS1: '\\[\\e[32m\\]$\\[\\e[0m\\] ',
      INPUTRC: '/dev/null',
      ...(user === 'machine' && machine),
    },
  });
  await session.waitFor(/\$$/);
  for (const each of lines) await type(each, session);
  session.close();
  await session.exit;
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((written) => terminal.write(session.written(), written));
  const path = file === 'terminal' ? 'docs/terminal.svg' : `docs/pictures/${file}.svg`;
  writeFileSync(path, drawTerminal(terminal.buffer.active, columns, title));
}

async function type({ line, turns = [] }: Typed, session: TerminalSession): Promise<void> {
  session.type(`${line}\r`);
  for (const { sees, types } of turns) {
    await session.waitFor(sees);
    session.type(`${types}\r`);
  }
  const escaped = line.replaceAll(/[^\w ]/g, '\\$&');
  await session.waitFor(new RegExp(`${escaped}\\n([\\s\\S]*\\n)?\\$$`), 30_000);
}

void drawPictures();
