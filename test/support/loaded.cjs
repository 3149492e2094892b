'use strict';

// Required before the program: tells at its end what was loaded, and what of it an earlier run had compiled, as JSON in the file that LOADED_TO names.
const { writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const vm = require('node:vm');

const before = new Set([__filename, ...process.moduleLoadList]);

// The launcher is loaded by Node, and the rest by the launcher.
const scripts = [];
const kept = [];
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    scripts.push(options.filename);
    if (this.cachedDataRejected === false) kept.push(options.filename);
  }
};

process.on('exit', () => {
  const files = [...Object.keys(require.cache).filter((name) => !before.has(name)), ...scripts];
  const modules = process.moduleLoadList.filter((name) => !before.has(name));
  const builtins = modules.flatMap((name) => /^NativeModule ((?!internal\/).*)$/.exec(name)?.[1] ?? []);
  writeFileSync(process.env.LOADED_TO, JSON.stringify({ files: files.map((name) => basename(name)), builtins, kept }));
});
