'use strict';

// Required before the program: tells at its end what was loaded, as JSON in the file that LOADED_TO names.
const { writeFileSync } = require('node:fs');
const { basename } = require('node:path');

const before = new Set([__filename, ...process.moduleLoadList]);

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((name) => !before.has(name));
  const modules = process.moduleLoadList.filter((name) => !before.has(name));
  const builtins = modules.flatMap((name) => /^NativeModule ((?!internal\/).*)$/.exec(name)?.[1] ?? []);
  writeFileSync(process.env.LOADED_TO, JSON.stringify({ files: files.map((name) => basename(name)), builtins }));
});
