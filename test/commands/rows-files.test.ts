/** A file of rows is data: whatever its columns are, it names no file and no profile, and agrees to nothing. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { optionsOf } from '../../src/command/option.ts';
import { groups } from '../../src/commands/index.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { profileFields } from '../../src/store/config.ts';
import { personsForEach } from '../support/fixtures.ts';

/** The paths that were opened, read, written or removed. */
const touched: string[] = vi.hoisted(() => []);
vi.mock('node:fs', async (original) => {
  const fs = await original<Record<string, (...given: unknown[]) => unknown>>();
  const noting = (name: string) => [
    name,
    (path: unknown, ...more: unknown[]) => {
      if (typeof path === 'string') touched.push(path);
      return fs[name]?.(path, ...more);
    },
  ];
  const names = ['openSync', 'readFileSync', 'writeFileSync', 'renameSync', 'unlinkSync', 'rmSync', 'mkdirSync'];
  return { ...fs, ...Object.fromEntries(names.map(noting)) };
});

const newPerson = personsForEach();
const secret = 'SECRET-OF-THIS-MACHINE';
const settings = {
  'config.json': { profiles: { prod: { baseUrl: 'https://platform.example', protected: true, label: 'PRODUCTION' } } },
  'credentials.json': { logins: { prod: { flow: 'm2m', origin: 'https://platform.example', clientSecret: secret } } },
};

/** Somebody with a protected profile, a file that is nobody's business, and a folder for a run. */
function somebody(options: Parameters<typeof newPerson>[0] = {}) {
  const someone = newPerson(options);
  for (const [name, content] of Object.entries(settings))
    writeFileSync(someone.file(name, ''), JSON.stringify({ version: 1, ...content }), { mode: 0o600 });
  const before = Object.keys(settings).map((name) => readFileSync(join(someone.folder, name), 'utf8'));
  const at = (name: string) => join(someone.folder, 'work', name);
  mkdirSync(at(''));
  return {
    ...someone,
    at,
    private: someone.file('private.txt', secret),
    isAsBefore: () =>
      Object.keys(settings)
        .map((name) => readFileSync(join(someone.folder, name), 'utf8'))
        .join() === before.join(),
  };
}

const commands = ['policies update', 'channels update', 'templates update', 'batches create', 'credentials create'];
const known = new Map((await loadCommands(groups)).map((command) => [command.name, optionsOf(command)]));
const others = [...new Set([...[...known.values()].flat().map(({ name }) => name), ...Object.keys(profileFields)])];
/** A name of the command's own options twice as often as any other. */
const spelt = (command: string) => {
  const own = (known.get(command) ?? []).map(({ name }) => name);
  const before = fc.constantFrom('', '', '', 'notification.', 'config.', 'clear-');
  return fc
    .tuple(fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...own) }, fc.constantFrom(...others)), before, fc.nat(3))
    .map(([name, prefix, how]) => {
      const hyphens = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return prefix + ([name, hyphens, name.toUpperCase(), ` ${hyphens.replaceAll('-', ' ')}`][how] ?? name);
    });
};
/** Names of files, profiles and agreements; FILE is that of this machine. */
const value = fc.constantFrom(
  'FILE',
  'FILE',
  '@FILE',
  'file://FILE',
  '-',
  '/proc/self/environ',
  'prod',
  'yes',
  '["FILE"]',
  '{"a":"FILE"}',
  '5',
  'x',
);
const anyFile = fc.constantFrom(...commands).chain((command) =>
  fc.record({
    command: fc.constant(command),
    format: fc.constantFrom('csv', 'ndjson', 'json'),
    columns: fc.uniqueArray(fc.tuple(spelt(command), value), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 2,
    }),
  }),
);
const keys = {
  Name: 'n',
  name: 'n',
  templateId: 't',
  channelId: 'c',
  alertPolicyId: 'aaaaaaaa-0000-4000-8000-000000000001',
};

/** What a run may touch: its own files, the settings and their locks, and what tells this process from others. */
const isOfTheRun = (folder: string) => (path: string) =>
  /^\/(proc\/(\d+|self)\/(stat|ns\/pid)|proc\/sys\/kernel\/random\/boot_id|etc\/machine-id)$/.test(path) ||
  (path.startsWith(folder) &&
    !path.endsWith('private.txt') &&
    (!path.startsWith(join(folder, 'work')) ||
      /^work(\/|$)(rows\.|journal|failed|results|secrets|\.iiot-|\.claim-|$)/.test(
        path.slice(folder.length + 1).replaceAll(sep, '/'),
      )));

it('a file of rows opens no file but those of the run, whatever its columns are', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async ({ command, format, columns }) => {
      const someone = somebody({
        fetch: async () => Response.json({ clientCredentialId: 'i', clientId: 'c', clientSecret: 's' }),
      });
      const row: Record<string, string> = {};
      const group = command.split(' ')[0] ?? '';
      const id =
        { policies: 'alertPolicyId', channels: 'channelId', templates: 'templateId', batches: 'Name' }[group] ?? 'name';
      row[id] = keys[id as keyof typeof keys];
      for (const [name, text] of columns) row[name] = text.replace('FILE', someone.private);
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text =
        format === 'csv'
          ? `${Object.keys(row).map(cell)}\n${Object.values(row).map(cell)}\n`
          : format === 'json'
            ? JSON.stringify([row])
            : `${JSON.stringify(row)}\n`;
      const file = someone.at(`rows.${format}`);
      writeFileSync(file, text);
      const own = [
        '--journal',
        'journal',
        '--failed-file',
        'failed',
        ...(command.endsWith('create') ? ['--results-file', 'results'] : []),
        ...(group === 'credentials' ? ['--secret-dir', 'secrets'] : []),
      ];
      const words = own.map((word) => (word.startsWith('--') ? word : someone.at(word)));
      touched.length = 0;
      await someone.iiot([...command.split(' '), '--rows', file, '--yes', ...words]);
      expect([...touched].filter((path) => !isOfTheRun(someone.folder)(path))).toEqual([]);
      expect([someone.isAsBefore(), someone.sent.filter(({ body }) => body?.includes(secret))]).toEqual([true, []]);
      someone.leave();
    }),
    { numRuns: 40 },
  );
});

it('a file that an option names is sent as it was when the run was confirmed', async () => {
  const someone: ReturnType<typeof somebody> = somebody({
    fetch: async (url) => {
      writeFileSync(someone.at('content.txt'), 'SWAPPED');
      return Response.json(url.endsWith('/token') ? { access_token: 't', token_type: 'Bearer' } : {});
    },
  });
  writeFileSync(someone.at('content.txt'), 'agreed');
  writeFileSync(someone.at('rows.csv'), 'templateId\nt\nu\n');
  const words = ['--rows', someone.at('rows.csv'), '--content-file', someone.at('content.txt'), '--yes'];
  expect((await someone.iiot(['templates', 'update', ...words])).exit).toBe(0);
  expect(someone.sent.map(({ body }) => body)).toEqual(['{"content":"agreed"}', '{"content":"agreed"}']);
});

it('a run is not continued if a file that an option names has changed', async () => {
  const someone = somebody({
    fetch: async (url) => Response.json(url.endsWith('/token') ? { access_token: 't', token_type: 'Bearer' } : {}),
  });
  const content = someone.at('content.txt');
  writeFileSync(content, 'agreed');
  writeFileSync(someone.at('rows.csv'), 'templateId\nt\nu\n');
  const words = ['templates', 'update', '--rows', someone.at('rows.csv'), '--content-file', content, '--yes'];
  expect((await someone.iiot(words)).exit).toBe(0);
  const before = someone.sent.length;
  writeFileSync(content, 'EDITED');
  const { exit, stderr } = await someone.iiot([...words, '--resume']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(', or a file that an option names has changed.\n')]);
  writeFileSync(content, 'agreed');
  expect([(await someone.iiot([...words, '--resume'])).exit, someone.sent.length]).toEqual([0, before]);
});

it('iiot credentials create --rows follows no link in the folder of secrets', async () => {
  const someone = somebody();
  mkdirSync(someone.at('secrets'));
  symlinkSync(someone.private, someone.at('secrets/a.secret'));
  const rows = someone.at('rows.csv');
  writeFileSync(rows, 'name\na\n');
  const create = ['credentials', 'create', '--secret-dir', someone.at('secrets'), '--yes'];
  const refused = { exit: 9, stderr: expect.stringContaining('a.secret is a link.') };
  expect(await someone.iiot([...create, '--rows', rows])).toMatchObject(refused);
  expect([readFileSync(someone.private, 'utf8'), someone.sent]).toEqual([secret, []]);
  expect(readdirSync(someone.at('secrets'))).toEqual(['a.secret']);
  rmSync(someone.at('secrets'), { recursive: true });
});
