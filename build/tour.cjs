/** Run by `npm run tour`: builds the program, whose log is of interest only where that fails, and begins the tour. */
const { spawnSync } = require('node:child_process');
const { resolve } = require('node:path');

const drawn = process.stderr.isTTY && process.env.TERM !== 'dumb';
if (process.stderr.isTTY) process.stderr.write(`Building iiot ...${drawn ? '' : '\n'}`);
const { status, stdout, stderr } = spawnSync('npm run --silent build', { cwd: resolve(__dirname, '..'), shell: true });
if (drawn) process.stderr.write('\r\u001b[K');
if (status === 0) {
  process.argv.splice(1, 1, resolve(__dirname, '../bin/iiot.js'), 'sandbox', 'tour');
  process.once('exit', (code) => code === 0 && console.error('To put iiot on your PATH: npm install --global .'));
  require('../bin/iiot.js');
} else {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status ?? 1;
}
