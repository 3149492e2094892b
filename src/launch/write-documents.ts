import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groups } from '../commands/index.ts';
import { manualOf, writtenDocuments } from '../shell/documents.ts';

/**
 * Run by `npm run texts`: writes the texts that are kept in the repository (completions, the manual, the reference), removes the pages of commands
 * that no longer exist, and lists the pages in package.json.
 */
async function writeDocuments(): Promise<void> {
  const documents = await writtenDocuments(groups);
  for (const each of ['completions', 'man']) {
    for (const name of namesIn(each)) {
      if (!documents.has(`${each}/${name}`)) rmSync(join(each, name));
    }
  }
  for (const [path, text] of documents) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const file = 'package.json';
  const { man: _old, ...facts } = JSON.parse(readFileSync(file, 'utf8')) as { man?: unknown };
  const placed = Object.entries(facts).flatMap((entry) =>
    entry[0] === 'files' ? [['man', manualOf(documents)] as const, entry] : [entry],
  );
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(placed), undefined, 2)}\n`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not written yet
  }
}

void writeDocuments();
