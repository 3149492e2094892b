/** Output into a file of the system around wine: Windows says of it only that its number is bad, and takes what is written. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { cleanEnvironment } from '../support/program.ts';
import { openComputer } from '../support/windows.ts';

const here = madeForEach(openComputer);

it.each([
  ['--version', 0, /^\d+\.\d+\.\d+\n$/, ''],
  ['profiles list', 0, '', /^There are no profiles yet/],
  ['orgs users list --frobnicate', 2, '', /^error: Unknown option "--frobnicate"/],
])('on Windows iiot %s writes to files of an unknown type', (words, exit, stdout, stderr) => {
  const files = ['out', 'err'].map((name) => openSync(join(here.folder, name), 'w'));
  const run = spawnSync(process.env.IIOT_TEST_NODE_CONSOLE ?? '', [resolve('bin/iiot.js'), ...words.split(' ')], {
    env: { ...cleanEnvironment(here.folder), IIOT_CONFIG_DIR: here.path('iiot') },
    stdio: ['ignore', ...files],
  });
  for (const file of files) closeSync(file);
  expect([run.status, here.read('out'), here.read('err')]).toEqual([
    exit,
    typeof stdout === 'string' ? stdout : expect.stringMatching(stdout),
    typeof stderr === 'string' ? stderr : expect.stringMatching(stderr),
  ]);
});
