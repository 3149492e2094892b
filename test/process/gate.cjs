'use strict';

// Loaded before the program by the tests that need to stop it at a certain moment:
// TEST_GATE (a folder) and TEST_GATE_FILE: at the first look at a file of that name it waits for the file `open` in the folder.
// TEST_KILL_AT (a number): before its so-manieth call that touches the store it dies as by kill -9.
const fs = require('node:fs');
const { basename, join } = require('node:path');

const { TEST_GATE: gate, TEST_GATE_FILE: file, TEST_KILL_AT: killAt, IIOT_CONFIG_DIR: store } = process.env;

if (gate) {
  const { openSync, statSync } = fs;
  // A program may also ask first whether the file is there.
  const looks = { openSync, statSync };
  for (const [name, original] of Object.entries(looks)) {
    fs[name] = (path, ...others) => {
      if (basename(String(path)) === file) {
        Object.assign(fs, looks);
        fs.writeFileSync(join(gate, `${process.pid}`), '');
        const pause = new Int32Array(new SharedArrayBuffer(4));
        while (!fs.existsSync(join(gate, 'open'))) Atomics.wait(pause, 0, 0, 5);
      }
      return original(path, ...others);
    };
  }
}

if (killAt) {
  let count = 0;
  const names = Object.keys(fs).filter((name) => name.endsWith('Sync'));
  const descriptors = new Set();
  for (const name of names) {
    const original = fs[name];
    fs[name] = (first, ...others) => {
      const ours = typeof first === 'number' ? descriptors.has(first) : String(first).startsWith(store);
      if (ours) {
        count += 1;
        if (count === Number(killAt)) process.kill(process.pid, 'SIGKILL');
      }
      const result = original(first, ...others);
      if (ours && name === 'openSync') descriptors.add(result);
      if (name === 'closeSync') descriptors.delete(first);
      return result;
    };
  }
}
