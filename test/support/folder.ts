import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** An empty folder for each test of the file or group that calls this. */
export function folderForEach() {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'iiot-folder-'));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string) => join(path, name);
  return {
    /** The path of a name in it. */
    at,
    /** Writes a file, and returns its path. */
    write(name: string, content: string | Uint8Array): string {
      writeFileSync(at(name), content);
      return at(name);
    },
    read: (name: string) => readFileSync(at(name), 'utf8'),
    names: () => readdirSync(path),
  };
}
