/** Texts changed in a person's editor: scripted ones, and a real vim. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach, machineOf } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';
import { printedLine } from '../support/printed.ts';

const front = madeForEach(() => openFront());
const home = homeForEach(() => ({ LANG: 'C.UTF-8', ...machineOf(front) }));

type Turn = readonly [sees: string | RegExp, types: string];

/** An editor that does what a script of a shell says with the file `$1`, slowly enough for a person. */
function editor(script: string): string {
  const path = home.file('my editor', `#!/bin/sh\necho x >>'${home.at('runs')}'\n${script}\n`);
  return `/bin/sh "${path}"`;
}

async function told(words: readonly string[], VISUAL: string, turns: readonly Turn[] = [], env = {}) {
  const session = home.terminal(words, { columns: 500, env: { VISUAL, ...env } });
  for (const [sees, types] of turns) {
    await session.waitFor(sees);
    session.type(types);
  }
  const { code } = await session.exit;
  const shown = await session.screen();
  const screen = shown.replaceAll(/\/\S*iiot-edit-\w+/g, 'FOLDER');
  const sent = front.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body));
  const [folder] = home.left();
  const file =
    folder &&
    spawnSync('ls', [home.at('tmp', folder)], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
      .at(-1);
  const kept = folder && file ? readFileSync(home.at('tmp', folder, file), 'utf8') : undefined;
  return { lines: screen.split('\n'), code, sent, kept, shown };
}

const edit = ['templates', 'edit', 'template_005'];
const atOnce = 'The editor ended immediately. A graphical editor must wait: EDITOR="code --wait"';
const subject = `sed -i 's/^subject:.*/subject: Drain it/' "$1"`;
const keptIn = 'Your text is kept in FOLDER/template_005-oil-change.txt';
const goOn = () => `Continue with it: iiot templates push FOLDER --base-url ${front.url} --org ${ids.root}`;

/** Wrong at first, and right where it is opened again. */
const wrongOnce = `if grep -q iiot: "$1"; then head -1 "$1"; sed -i 's/^templateId:.*/templateId: template_005/' "$1"; ${subject}
else sed -i 's/^templateId:.*/templateId: other/' "$1"; fi`;

describe('a template in an editor', () => {
  it('is shown as a difference, asked about, and sent', async () => {
    const script = `cd "$(dirname "$1")"; stat -c %a "$1" . .iiot/templates.json; basename "$1"; ${subject}`;
    const { lines, code, sent, kept } = await told(edit, editor(script), [['(y/N)', 'y\r']]);
    expect({ lines: lines.slice(0, 18), code, sent, kept }).toEqual({
      lines: [
        ...['600', '700', '600', 'template_005-oil-change.txt'],
        '@@ -1,7 +1,7 @@',
        ' ---',
        ' templateId: template_005',
        ' name: Oil change',
        '-subject: "Oil change: {{deviceName}}"',
        '+subject: Drain it',
        ' channelTypes:',
        '   - teams',
        ' tags:',
        'template_005-oil-change.txt: subject',
        `? Update 1 template of organization ${ids.root} at ${new URL(front.url).host}? Yes`,
        'FILE                         STATUS  FIELDS',
        'template_005-oil-change.txt  done    subject',
        '1 template: 1 updated.',
      ],
      code: 0,
      sent: [{ subject: 'Drain it' }],
      kept: undefined,
    });
    expect(home.left()).toEqual([]);
  });

  it.each([
    ['unchanged', 'sleep 1.1', []],
    ['emptied', ': >"$1"', []],
    ['removed', 'rm "$1"', []],
    ['given back at once', ':', [atOnce]],
    ['with a line end that it had not', `sleep 1.1; sed -i '$a\\' "$1"`, []],
    ['with a comment', `sleep 1.1; sed -i '1a# nice' "$1"`, []],
  ])('is left unchanged if it is %s', async (_, script, before) => {
    const { lines, code, sent, kept } = await told(edit, editor(script));
    expect({ lines, code, sent, kept }).toEqual({
      lines: [...before, '✓ Nothing was changed'],
      code: 0,
      sent: [],
      kept: undefined,
    });
    expect(home.left()).toEqual([]);
  });

  it('is opened again with the reason at the top while it is wrong', async () => {
    const { lines, code, sent } = await told(edit, editor(wrongOnce), [['(y/N)', 'y\r']]);
    expect({ first: lines[0], code, sent }).toEqual({
      first: '# iiot: templateId must stay template_005.',
      code: 0,
      sent: [{ subject: 'Drain it' }],
    });
  });

  it.each([
    ['the answer is no', subject, [['(y/N)', '\r']], 130, 'Cancelled.'],
    ['it stays wrong', `sed -i 's/^---$/+++/' "$1"`, [], 2, 'error: template_005-oil-change.txt: its front matter '],
    ['it is not UTF-8', `printf '\\200' >>"$1"`, [], 2, 'error: The text is not UTF-8: see line '],
    ['the editor fails', `${subject}; exit 3`, [], 130, 'The editor /bin/sh ended with 3.'],
    [
      'Ctrl-C ends an editor that hangs',
      `${subject}; echo hangs; exec sleep 60`,
      [['hangs', '\u0003']],
      130,
      'Cancelled.',
    ],
    ['the platform refuses it', `${subject}; sed -i 's/Drain it/Drain {{it/' "$1"`, [['(y/N)', 'y\r']], 9, 'FILE '],
  ] as const)('is kept in a file that is named when %s', async (_, script, turns, exit, last) => {
    if (exit === 9)
      front.before = ({ method }) => (method === 'PATCH' ? new Response('{}', { status: 400 }) : undefined);
    const { lines, code, kept } = await told(edit, editor(script), turns);
    const at = lines.findIndex((line) => line.endsWith(keptIn));
    expect({ code, next: lines[at + 1], said: lines[at + 2]?.startsWith(last) }, lines.join('\n')).toEqual({
      code: exit,
      next: goOn(),
      said: true,
    });
    expect(kept).toMatch(/Drain|\+\+\+|\ufffd/);
  });

  it('is kept and reported if it cannot be read', async () => {
    const { lines, code, sent, kept } = await told(edit, editor(`${subject}; mv "$1" "$1.old"; mkdir "$1"`));
    expect({ lines, code, sent }).toEqual({
      lines: [
        keptIn,
        goOn(),
        'error: Could not read FOLDER/template_005-oil-change.txt: it is a folder.',
        expect.stringMatching(/^hint: Choose another/),
      ],
      code: 1,
      sent: [],
    });
    expect(kept).toContain('Drain');
  });

  it.each([
    ['TERM', 143],
    ['HUP', 129],
  ])('is kept in a file that is named at SIG%s', async (signal, exit) => {
    const changed = await told(edit, editor(`${subject}; kill -${signal} $PPID; exec sleep 60`));
    expect({ code: changed.code, last: changed.lines.filter((line) => line.endsWith(keptIn)) }).toEqual({
      code: exit,
      last: [expect.stringContaining(keptIn)],
    });
    expect(changed.kept).toContain('Drain it');
  });

  it('leaves no file if it was not changed at SIGTERM', async () => {
    const { code } = await told(edit, editor('kill -TERM $PPID; exec sleep 60'));
    expect([code, home.left()]).toEqual([143, []]);
  });

  it('is shown with the other change when the platform has changed it too', async () => {
    const script = `${subject}; iiot templates update template_005 --name Meanwhile -q >/dev/null 2>&1`;
    const { lines, code, sent, kept, shown: printed } = await told(edit, editor(script));
    const shown = lines.filter((line) => /^[-+]|:$|^error/.test(line) && !/^ /.test(line));
    expect({ shown, code, sent }).toEqual({
      shown: [
        'Changed on the platform meanwhile:',
        '-name: Oil change',
        '+name: Meanwhile',
        'Your changes:',
        '-subject: "Oil change: {{deviceName}}"',
        '+subject: Drain it',
        expect.stringMatching(
          /^error: template_005-oil-change.txt was changed here \(.*\) and on the platform since the pull\.$/,
        ),
      ],
      code: 6,
      sent: [{ name: 'Meanwhile' }],
    });
    expect(kept).toContain('subject: Drain it');
    const words = printedLine(printed.split('hint: ')[0] ?? '');
    expect((await home.iiot([...words, '--yes'])).exit).toBe(6);
    expect((await home.iiot([...words, '--yes', '--force'])).exit).toBe(0);
    const after = front.platform.world.templates.get('template_005');
    expect([after?.subject, after?.name]).toEqual(['Drain it', 'Oil change']);
  });

  it.each([
    [
      'the reason at the top',
      wrongOnce.replace('if', 'if grep -q iiot: "$1"; then exit 3; fi\nif'),
      'templateId: other',
    ],
    ['the line end that the editor added', `${subject}; sed -i '$a\\' "$1"; exit 3`, 'Drain it'],
  ])('is kept without %s', async (_, script, has) => {
    Object.assign(front.platform.world.templates.get('template_005') ?? {}, { content: 'One\nTwo' });
    const { code, kept } = await told(edit, editor(script));
    expect([code, kept]).toEqual([130, expect.stringMatching(new RegExp(`^---\n[^]*${has}[^]*\nOne\nTwo$`))]);
  });

  it('is removed, but a file that others put into its folder is kept', async () => {
    const { code } = await told(edit, editor(`echo precious >"$(dirname "$1")/precious"; ${subject}`), [
      ['(y/N)', 'y\r'],
    ]);
    const [folder = ''] = home.left();
    expect([code, readdirSync(home.at('tmp', folder))]).toEqual([0, ['precious']]);
  });

  it.each([
    ['tags', `sed -i '/^tags:/,/^orgId:/{/^orgId:/!d}'`, '[]'],
    ['subject', `sed -i '/^subject:/d'`, '""'],
  ])('keeps its %s, which is said, when the lines of it are removed', async (field, script, empty) => {
    const { lines, sent } = await told(edit, editor(`${script} "$1"; sleep 1.1`));
    const note = `${field} was left out and stays; to empty it write ${field}: ${empty}`;
    expect([lines.slice(0, 2), sent]).toEqual([[note, '✓ Nothing was changed'], []]);
  });

  it('is sent with a note when the editor changed all line endings', async () => {
    Object.assign(front.platform.world.templates.get('template_005') ?? {}, { content: 'One\nTwo' });
    const { lines, sent } = await told(edit, editor(`${subject}; sed -i 's/$/\\r/' "$1"`), [['(y/N)', 'y\r']]);
    expect(lines[0]).toBe('The editor changed all line endings from LF to CRLF.');
    expect(sent).toEqual([{ subject: 'Drain it', content: 'One\r\nTwo' }]);
  });

  it('needs an editor and a terminal', async () => {
    const { lines, code } = await told(edit, 'no-such-editor --wait');
    expect({ lines, code }).toEqual({
      lines: [
        'error: The editor no-such-editor cannot be started.',
        'hint: Set VISUAL or EDITOR to the command of an editor',
      ],
      code: 2,
    });
    expect(home.left()).toEqual([]);
    expect(await home.iiot(edit)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(
        /^error: Cannot open an editor: not a terminal\.\nhint: Change it with: iiot templates update/,
      ),
    });
  });

  it.skipIf(lacks('vim'))('is changed with vim', async () => {
    const session = home.terminal(edit, { env: { EDITOR: 'vim -u NONE -N' } });
    await session.waitFor('name: Oil change');
    session.type('\u001b:%s/^subject:.*/subject: Drain it/\r:wq\r');
    await session.waitFor('(y/N)');
    expect(await session.screen()).toContain('+subject: Drain it\n');
    session.type('y\r');
    expect((await session.exit).code).toBe(0);
    expect(front.requests.at(-1)).toMatchObject({ method: 'PATCH', body: '{"subject":"Drain it"}' });
    expect(home.left()).toEqual([]);
  });
});
