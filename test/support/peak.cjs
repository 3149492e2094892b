// Loaded into a program by --require: writes to the file PEAK_FILE how much memory the process itself had at most, in kilobytes. Its `maxRSS` would
// count what the parent had when it forked.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () =>
  writeFileSync(process.env.PEAK_FILE, /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]),
);
