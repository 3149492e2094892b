import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

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
