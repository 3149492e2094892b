'use strict';

// Runs under wine, between a test of the system around it and Node for Windows: that opens no pipe of the other system as a stream, and reads
// and writes one by its number. So it gets pipes of Windows from here. WINDOWS_TEMP and its like become TEMP, which wine would not pass on.
const { spawn } = require('node:child_process');
const { read, writeSync } = require('node:fs');

// A stream that ends looks at all three, and opening one is an error here.
for (const name of ['stdin', 'stdout', 'stderr']) Object.defineProperty(process, name, { value: undefined });

const env = {};
for (const [name, value] of Object.entries(process.env)) {
  if (!name.startsWith('WINDOWS_')) env[name] ??= value;
  else env[name.slice('WINDOWS_'.length)] = value;
}
const child = spawn(process.execPath, process.argv.slice(2), { env });
passOn(child.stdout, 1);
passOn(child.stderr, 2);
child.stdin.on('error', () => {}); // it may not want all of it
feed(Buffer.alloc(65_536));
child.on('close', (code) => process.exit(code));

function passOn(stream, descriptor) {
  stream.on('data', (bytes) => {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    } catch {
      stream.destroy(); // the reader has gone away
    }
  });
}

function feed(buffer) {
  read(0, buffer, 0, buffer.length, null, (error, count) => {
    if (error || count === 0) child.stdin.end();
    else child.stdin.write(Buffer.from(buffer.subarray(0, count)), () => feed(buffer));
  });
}
