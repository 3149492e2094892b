// Loaded into a program by --require: writes to the file PEAK_FILE how much memory the process had at most, in kilobytes.
const { writeFileSync } = require('node:fs');

process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));
