/**
 * Makes the one-file program: Node with the bundle inside, for this system or for those that are named.
 * `npm run build:executable [-- SYSTEM...]`, SYSTEM being linux-x64, linux-arm64, darwin-x64, darwin-arm64 or win-x64.
 */
import { join } from 'node:path';
import { thisSystem } from './nodes.ts';
import { type System, systemNames } from './release/artefacts.ts';
import { makeOneFile, programName } from './release/one-file.ts';

const wanted = process.argv.length > 2 ? process.argv.slice(2) : [thisSystem];

for (const system of wanted) {
  if (!isSystem(system)) throw new Error(`Unknown system ${system}. Use one of: ${systemNames.join(', ')}`);
  process.stdout.write(`${join(await makeOneFile(system), programName(system))}\n`);
}

function isSystem(name: string): name is System {
  return systemNames.some((each) => each === name);
}
