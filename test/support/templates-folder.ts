import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import type { Template } from '../../src/sandbox/world/world.ts';
import type { Person } from './world.ts';

/** What a line to copy says beside its own words: it acts in the same place, whatever the variables are then. */
export const where = `--base-url http://127.0.0.1:1 --org ${ids.root}`;

/** Leaves the platform five templates, template_001 to template_005: every command reads all of them. */
export function onlyFive({ platform }: Person): void {
  const { templates } = platform.world;
  for (const id of templates.keys()) if (!/^template_00[1-5]$/.test(id)) templates.delete(id);
}

/** For each test, a folder into which somebody has pulled all five templates, named after their IDs alone: "template_001.txt". */
export function templatesFolderForEach(someone: Person) {
  let [first, dir] = ['', ''];
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'iiot-test-'));
    onlyFive(someone);
    if (first === '') {
      await someone.iiot(['templates', 'pull', dir]);
      asPulledBefore(dir);
      (someone.sent as unknown[]).length = 0;
      first = mkdtempSync(join(tmpdir(), 'iiot-test-'));
      cpSync(dir, first, { recursive: true });
    } else cpSync(first, dir, { recursive: true, preserveTimestamps: true });
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  afterAll(() => rmSync(first, { recursive: true, force: true }));
  const file = (name: string) => join(dir, name);
  const read = (name: string) => readFileSync(file(name), 'utf8');
  return {
    get dir() {
      return dir;
    },
    file,
    read,
    stored: (id: string) => someone.platform.world.templates.get(id) as Template,
    edit(name: string, from: string | RegExp, to: string) {
      const before = read(name);
      writeFileSync(file(name), before.replace(from, to));
      expect(read(name)).not.toBe(before);
    },
    run: (verb: string, ...words: readonly string[]) => someone.iiot(['templates', verb, dir, ...words]),
  };
}

/** Turns a folder of templates into one that was pulled when files were named after the ID alone: "template_001.txt". */
export function asPulledBefore(dir: string): void {
  const path = join(dir, '.iiot', 'templates.json');
  const text = readFileSync(path, 'utf8');
  const { templates }: { templates: Readonly<Record<string, { file: string }>> } = JSON.parse(text);
  const named = Object.entries(templates).map(([id, { file }]) => [file, `${id}${extname(file)}`] as const);
  for (const [now, before] of named) renameSync(join(dir, now), join(dir, before));
  const renamed = new Map(named);
  writeFileSync(
    path,
    text.replace(/"file":"([^"]*)"/g, (_, file: string) => `"file":"${renamed.get(file)}"`),
  );
}
