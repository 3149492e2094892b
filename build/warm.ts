/** Runs the program from its files, and keeps the code of each file that V8 has compiled: `warm.js FOLDER WORD...`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Script } from 'node:vm';
import { requireFrom } from '../src/launch/program-files.ts';

// Compiled code contains the number of garbage collections since its last use, which differs between runs. V8 counts them to discard unused code.
setFlagsFromString('--no-flush-bytecode');

const [folder = ''] = process.argv.splice(2, 1);
const loadedScripts = new Map<string, Script>();
const require = requireFrom(
  {
    source: (name) => readFileSync(join('dist', name), 'utf8'),
    compiled: () => undefined,
    onScript: (name, script) => void loadedScripts.set(name, script),
  },
  process,
);

process.on('exit', () => {
  // Compiled code is valid only for the flags with which it is written.
  setFlagsFromString('--flush-bytecode');
  for (const [name, script] of loadedScripts) writeFileSync(join(folder, name), script.createCachedData());
});

const { start } = require('./start.cjs') as typeof import('../src/launch/start.ts'); // built from it
void start(process, [process.execPath, 'bin/iiot.js']);
