import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, type TerminalOptions, type TerminalSession } from '../support/pseudo-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'person-'));
const program = join(folder, 'conversation.cjs');
let runs = 0;

beforeAll(async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'conversation.ts'), platform: 'node' });
  const entryFileNames = 'conversation.cjs';
  await bundle.write({ dir: folder, format: 'cjs', entryFileNames, chunkFileNames: '[name]-[hash].cjs' });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Conversation = TerminalSession & { readonly answer: string; result(): Promise<unknown> };

function talk(about: string, options: TerminalOptions = {}): Conversation {
  const answer = join(folder, `answer-${runs++}`);
  const session = openTerminal(process.execPath, [program, about], {
    ...options,
    env: { ...options.env, ANSWER: answer },
  });
  const result = async () => {
    const { code } = await session.exit;
    return { code, ...JSON.parse(readFileSync(answer, 'utf8')) };
  };
  return { ...session, answer, result };
}

/** Answers each question once it is there; gives the session when it has ended, with its result and its last screen. */
async function told(
  about: string,
  turns: readonly (readonly [sees: string | RegExp, types: string])[],
  options: TerminalOptions = {},
) {
  const session = talk(about, options);
  for (const [sees, types] of turns) {
    await session.waitFor(sees);
    session.type(types);
  }
  const result = await session.result();
  return { result, screen: await session.screen(), written: session.written() };
}

const answered = (answer: unknown) => ({ code: 0, canAnswer: true, answer });
const accessible = { env: { ACCESSIBLE: '1' } };
const stopped = (question: string, by?: string, code = 130) => ({
  code,
  canAnswer: true,
  kind: 'interrupted',
  message: by === undefined ? 'Cancelled.' : `No answer to "${question}": ${by}.`,
});

describe.concurrent('a question at a terminal', () => {
  it('shows the error of a wrong answer below', async () => {
    const session = talk('ask');
    await session.waitFor('? Tenant path:');
    session.type('x\r');
    await session.waitFor('x is taken.');
    expect(await session.screen()).toBe('? Tenant path: x\nx is taken.');
    session.type('y \r');
    expect(await session.result()).toEqual(answered('xy '));
    expect(await session.screen()).toBe('? Tenant path: xy');
  });

  it('is a no with Enter, and a yes with y', async () => {
    const no = await told('confirm', [['? Delete client credential cc_1? (y/N)', '\r']]);
    expect([no.result, no.screen]).toEqual([answered(false), '? Delete client credential cc_1? No']);
    expect((await told('confirm', [['(y/N)', 'y\r']])).result).toEqual(answered(true));
  });

  it('shows invisible characters as escapes, with a notice', async () => {
    const session = talk('hostile');
    await session.waitFor('(y/N)');
    expect(await session.screen()).toBe(
      'The next question contains invisible characters; they are shown escaped.\n? Delete "a\\u{1b}[2Jb\\u{200b}"? (y/N)',
    );
    session.type('n\r');
    expect(await session.result()).toEqual(answered(false));
  });

  it('keeps a name as it is typed', async () => {
    const { result } = await told('name', [
      ['type its name:', ' \r'],
      ['Ctrl-C cancels.', 'A\u030ada \r'],
    ]);
    expect(result).toEqual(answered(' A\u030ada '));
  });

  it.each(['1', '7'])('can be answered in a terminal of %s columns', async (columns) => {
    const { result } = await told('ask', [[/p\n?a\n?t\n?h/, 'demo\r']], { columns: Number(columns), rows: 60 });
    expect(result).toEqual(answered('demo'));
  });
});

it.concurrent.each([
  ['ask', 'Tenant path', {}],
  ['ask', 'Tenant path', accessible],
  ['secret', '(hidden)', {}],
])('an answer that is not UTF-8 is refused and asked for again: %s', async (about, sees, options) => {
  const session = talk(about, options);
  await session.waitFor(sees);
  session.type(Buffer.from('8ebd8ae90d', 'hex')); // in Shift_JIS
  await session.waitFor('The answer is not UTF-8: set the terminal to UTF-8.');
  session.type('\u0015\u65e5\u52e4\r');
  expect(await session.result()).toEqual(answered('\u65e5\u52e4'));
});

describe.concurrent('a secret', () => {
  it.each<TerminalOptions>([{ env: {} }, accessible, { env: { TERM: 'dumb' } }])(
    'is never shown (%o)',
    async (options) => {
      const session = talk('secret', options);
      await session.waitFor('Password: (hidden)');
      const before = session.written();
      for (const key of ' Pä$$\u007fs\u007f\u{1f512}wö\u001b[Art ') {
        session.type(key);
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect(session.written()).toBe(before);
      }
      session.type('\r');
      expect(await session.result()).toEqual({ code: 0, canAnswer: true, answer: ' Pä$\u{1f512}wört ' });
      expect(session.written()).toBe(`${before}\r\n`);
    },
  );

  it('is asked for again if nothing is typed', async () => {
    const { result } = await told('secret', [
      ['(hidden)', '\r'],
      [/Nothing was typed\.\n\? Password/, 'wrong\u0015right\r'],
    ]);
    expect(result).toEqual(answered('right'));
  });

  it.each([
    ['8,000 characters', 'geheim-8'.repeat(1000)],
    ['a byte order mark', '\ufeffgeheim'],
  ])('may be pasted with %s', async (_, pasted) => {
    const { result } = await told('secret', [['(hidden)', `${pasted}\r`]]);
    expect(result).toEqual(answered(pasted.replace('\ufeff', '')));
  });

  it('does not include keys typed before the question', async () => {
    const session = talk('slowly');
    await session.waitFor('working');
    session.type('too early\r');
    await session.waitFor('too early');
    writeFileSync(`${session.answer}-typed`, '');
    await session.waitFor('(hidden)');
    session.type('in time\r');
    expect(await session.result()).toEqual(answered('in time'));
  });

  it('is refused by --password-stdin if it is not UTF-8', async () => {
    const session = talk('stdin');
    await session.waitFor('(hidden)');
    session.type(Buffer.from('8ebd8ae90d', 'hex'));
    const message = '--password-stdin: the password on standard input is not UTF-8 text.';
    expect(await session.result()).toEqual({ code: 2, canAnswer: true, kind: 'usage', message });
  });

  it('is read without echo by --password-stdin', async () => {
    const question = '--password-stdin: type the password, then Enter (hidden)';
    const { result, written } = await told('stdin', [[question, 'geheim \r']]);
    expect(result).toEqual(answered('geheim '));
    expect(written).not.toContain('geheim');
  });
});

// What vim asks a terminal is answered after it has ended, where the connection is slow.
it.concurrent.each([
  ['ask', 'Tenant path', 'factory'],
  ['secret', '(hidden)', 'geheim'],
  ['confirm', '(y/N)', 'yes'],
])('an answer does not include responses of the terminal itself: %s', async (about, sees, answer) => {
  const [first = '', ...rest] = answer;
  const typed = `\u001b[?12;2$y${first}\u001b[>0;276;0c\u001b]11;rgb:0000/0000/0000\u0007\u001b[2;2R${rest.join('')}\u001bP1+r436f\u001b\\\r`;
  expect((await told(about, [[sees, typed]])).result).toEqual(answered(about === 'confirm' ? true : answer));
});

const questions = {
  ask: 'Tenant path',
  secret: 'Password',
  confirm: 'Delete client credential cc_1?',
  pick: 'Where should it be sent',
} as const;
const styles: Readonly<Record<string, TerminalOptions>> = { drawn: {}, accessible };
const kinds = (['ask', 'secret', 'confirm', 'pick'] as const).flatMap((kind) =>
  Object.entries(styles).map(([style, options]) => ({ kind, question: questions[kind], style, options })),
);

describe.concurrent('a question without an answer', () => {
  it.each(kinds)(
    'ends with 130 and a restored terminal after Ctrl-C ($kind, $style)',
    async ({ kind, question, options }) => {
      const session = talk(kind, options);
      await session.waitFor(question);
      session.type('\u0003');
      expect(await session.result()).toEqual(stopped(question));
      expect(await session.cursor()).toEqual({ column: 0, hidden: false });
    },
  );

  it.each(kinds)(
    'ends with 130 and the settings of stty restored after Ctrl-D ($kind, $style)',
    async ({ kind, question, style, options: { env } }) => {
      const script = 'stty -a > "$0.before"; "$1" "$2" "$3"; code=$?; stty -a > "$0.after"; exit $code';
      const at = join(folder, `stty-${runs++}`);
      const words = ['-c', script, at, process.execPath, program, kind];
      const session = openTerminal('sh', words, { env: { ...env, ANSWER: `${at}.answer` } });
      await session.waitFor(question);
      session.type('\u0004');
      const { code } = await session.exit;
      const by = style === 'drawn' || kind === 'secret' ? undefined : 'the input has ended';
      expect({ code, ...JSON.parse(readFileSync(`${at}.answer`, 'utf8')) }).toEqual(stopped(question, by));
      expect(await session.cursor()).toEqual({ column: 0, hidden: false });
      expect(readFileSync(`${at}.after`, 'utf8')).toBe(readFileSync(`${at}.before`, 'utf8'));
    },
  );

  it.each([
    { signal: 'SIGTERM', by: 'it was asked to stop', code: 143 },
    { signal: 'SIGHUP', by: 'the terminal was closed', code: 130 },
    { signal: 'SIGINT', by: undefined, code: 130 },
  ] as const)('ends with $code and a visible cursor after $signal', async ({ signal, by, code }) => {
    const session = talk('pick');
    await session.waitFor('Esc to cancel');
    process.kill(session.pid, signal);
    expect(await session.result()).toEqual(stopped('Where should it be sent', by, code));
    expect(await session.cursor()).toEqual({ column: 0, hidden: false });
  });

  it.each([
    ['ask', 'Tenant path:', '', /fg\nANSWER/, 'later'],
    ['secret', '(hidden)', 'half', /fg\nANSWER[\s\S]*\(hidden\)/, 'geheim'],
  ])(
    'is continued by fg after Ctrl-Z, and takes no shell command as its answer: %s',
    async (about, sees, half, continued, answer) => {
      const session = openTerminal('bash', ['--norc', '-i'], {
        env: { PS1: 'shell> ', NODE: process.execPath, PROGRAM: program },
      });
      await session.waitFor('shell>');
      session.type(`ANSWER=/dev/stdout "$NODE" "$PROGRAM" ${about}\r`);
      await session.waitFor(sees);
      session.type(`${half}\u001a`);
      await session.waitFor('Stopped');
      session.type('echo a-"command"\r');
      await session.waitFor('a-command\n');
      session.type('fg\r');
      await session.waitFor(continued);
      session.type(`${answer}\r`);
      await session.waitFor(`"answer":"${answer}"`);
      session.type('exit\r');
      expect((await session.exit).code).toBe(0);
    },
  );
});

// Not beside others: a process that starts meanwhile would hold the terminal of the closed window open.
describe('a question in a window that is closed', () => {
  it.each(kinds)('ends as by SIGHUP ($kind, $style)', async ({ kind, options }) => {
    const session = talk(kind, options);
    await session.waitFor(questions[kind]);
    session.close();
    expect(await session.result()).toMatchObject({ canAnswer: true, kind: 'interrupted' });
    expect((await session.exit).signal).toBe(constants.signals.SIGHUP);
  });
});

describe.concurrent('a question in plain lines', () => {
  const redrawing = '\u001b';

  it.each([accessible, { env: { TERM: 'dumb' } }])(
    'is repeated after a wrong answer, without redrawing (%o)',
    async (options) => {
      const turns = [['Tenant path:', 'x\r'] as const, [/x is taken\.\nTenant path/, 'demo\r'] as const];
      const { result, screen, written } = await told('ask', turns, options);
      expect(result).toEqual(answered('demo'));
      expect(screen).toBe('Tenant path: x\nx is taken.\nTenant path: demo');
      expect(written).not.toContain(redrawing);
    },
  );

  it('needs y or n', async () => {
    const question = 'Delete client credential cc_1? (y/N)';
    const turns = [[question, 'sure\r'] as const, [/Answer y or n\.\nDelete/, 'yes\r'] as const];
    const { result, written } = await told('confirm', turns, accessible);
    expect(result).toEqual(answered(true));
    expect(written).not.toContain(redrawing);
  });
});

describe.concurrent('a question that nobody can answer', () => {
  const refusedFor = (reason: string) => ({
    canAnswer: false,
    kind: 'usage',
    message: `Cannot prompt for "Delete client credential cc_1?": ${reason}.`,
  });
  const refused = refusedFor('not a terminal');

  it.each([
    ['CI is set', { CI: 'true' }],
    ['IIOT_NO_INPUT is set', { IIOT_NO_INPUT: '1' }],
    ['IIOT_NO_INPUT is set', { IIOT_NO_INPUT: 'yes', CI: '1' }],
  ])('is refused with the reason if %s (%o)', async (reason, env) => {
    const session = talk('confirm', { env });
    expect(await session.result()).toEqual({ code: 2, ...refusedFor(reason) });
    expect(await session.screen()).toBe('');
  });

  it.each<TerminalOptions>([{ env: { CI: '' } }, { env: { CI: 'false', IIOT_NO_INPUT: '0' } }])(
    'is asked if the variables say no (%o)',
    async (options) => {
      expect((await told('confirm', [['(y/N)', 'y\r']], options)).result).toEqual(answered(true));
    },
  );

  it.each(['< /dev/null', '<&-', '2>&-', '2> /dev/null', '< /'])(
    'is refused with the redirection %s',
    async (redirection) => {
      const answer = join(folder, `answer-${runs++}`);
      const env = { ANSWER: answer };
      const session = openTerminal('sh', ['-c', `"$0" "$1" confirm ${redirection}`, process.execPath, program], {
        env,
      });
      expect((await session.exit).code).toBe(2);
      expect(JSON.parse(readFileSync(answer, 'utf8'))).toEqual(refused);
    },
  );

  it('is not answered by a piped "y"', () => {
    const answer = join(folder, `answer-${runs++}`);
    const ended = spawnSync(process.execPath, [program, 'confirm'], { input: 'y\n', env: { ANSWER: answer } });
    expect([ended.status, String(ended.stdout), String(ended.stderr)]).toEqual([2, '', '']);
    expect(JSON.parse(readFileSync(answer, 'utf8'))).toEqual(refused);
  });

  it('does not wait for a silent pipe', async () => {
    const child = spawn(process.execPath, [program, 'confirm'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    child.stdin.destroy();
    expect(code).toBe(2);
  });

  it('does not wait for a silent socket', async () => {
    const path = join(folder, 'socket');
    const server = createServer(() => {}).listen(path);
    const script =
      'const { connect } = require("node:net"), { spawn } = require("node:child_process");' +
      'const socket = connect(process.argv[1], () => spawn(process.execPath, process.argv.slice(2), { stdio: [socket, 1, 2] })' +
      '.on("exit", (code) => process.exit(code)));';
    const child = spawn(process.execPath, ['-e', script, path, program, 'confirm'], { stdio: 'ignore' });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    server.close();
    expect(code).toBe(2);
  });
});

describe.concurrent('a terminal with a piped stdout', () => {
  it('shows questions on stderr only', async () => {
    const [answer, output] = [join(folder, `answer-${runs++}`), join(folder, 'stdout')];
    const script = `"$0" "$1" two > "${output}"`;
    const session = openTerminal('sh', ['-c', script, process.execPath, program], { env: { ANSWER: answer } });
    await session.waitFor('? Account:');
    session.type('ada\r');
    await session.waitFor('? Password:');
    session.type('geheim\r');
    await session.waitFor('? Go on?');
    session.type('y\r');
    expect((await session.exit).code).toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('');
    expect(JSON.parse(readFileSync(answer, 'utf8'))).toEqual({ canAnswer: true, answer: ['ada', 'geheim', true] });
  });
});
