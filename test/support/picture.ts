/** Run by `npm run picture`: types commands into a real shell in a real terminal, against the embedded platform, and draws what is seen. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import headless from '@xterm/headless';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { openTerminal } from './pseudo-terminal.ts';
import { drawTerminal } from './terminal-svg.ts';

const columns = 92;
const lines = [
  'iiot orgs users list --role admin --limit 3',
  'iiot orgs users list --role admin --all --jq length',
  'iiot devices custom-info set press-0001 line=3 "owner=Night shift"',
  'iiot batches cron "0 0 2 ? * MON-FRI" --jq .words',
  'iiot templates update template_999 --subject "Line 3 is hot"',
];

async function drawPicture(): Promise<void> {
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'iiot-picture-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(resolve('bin/iiot.js'), join(folder, 'bin', 'iiot'));
  const session = openTerminal('bash', ['--noprofile', '--norc', '-i'], {
    columns,
    rows: 40,
    cwd: folder,
    env: {
      HOME: folder,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      LANG: 'C.UTF-8',
      PS1: '\\[\\e[32m\\]$\\[\\e[0m\\] ',
      INPUTRC: '/dev/null',
      IIOT_BASE_URL: server.url,
      IIOT_ORG: ids.root,
      IIOT_CLIENT_ID: ids.clientId,
      IIOT_CLIENT_SECRET: ids.clientSecret,
    },
  });
  await session.waitFor(/\$$/);
  for (const line of lines) {
    session.type(`${line}\r`);
    await session.waitFor(new RegExp(`${line.replaceAll(/[^\w ]/g, '\\$&')}\\n[\\s\\S]*\\n\\$$`));
  }
  session.close();
  await session.exit;
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  const terminal = new headless.Terminal({ cols: columns, rows: 40, allowProposedApi: true });
  await new Promise<void>((written) => terminal.write(session.written(), written));
  writeFileSync('docs/terminal.svg', drawTerminal(terminal.buffer.active, columns));
}

void drawPicture();
