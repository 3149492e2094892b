/** Runs the program from its files, and keeps what V8 has compiled of each by the end: `warm.js FOLDER WORD...`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Script } from 'node:vm';
import { requireFrom } from '../src/launch/program-files.ts';

// Compiled code notes how many garbage collections it has not been used for, which differ from run to run. V8 counts them to throw it away.
setFlagsFromString('--no-flush-bytecode');

const [folder = ''] = process.argv.splice(2, 1);
const scripts = new Map<string, Script>();
const require = requireFrom(
  {
    source: (name) => readFileSync(join('dist', name), 'utf8'),
    compiled: () => undefined,
    onScript: (name, script) => void scripts.set(name, script),
  },
  process,
);

process.on('exit', () => {
  // It is good for the flags that it is written with.
  setFlagsFromString('--flush-bytecode');
  for (const [name, script] of scripts) writeFileSync(join(folder, name), script.createCachedData());
});

const { start } = require('./start.cjs') as typeof import('../src/launch/start.ts'); // built from it
void start(process, [process.execPath, 'bin/iiot.js']);
