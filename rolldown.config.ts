import { readFileSync } from 'node:fs';
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown';
import { declarations } from './build/declarations.ts';
import { thirdParties } from './build/third-parties.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const shared = {
  platform: 'node',
  // Its CommonJS build loads its parts by names that no bundler sees.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { define: { __VERSION__: JSON.stringify(version) }, target: 'node20.18' },
} satisfies RolldownOptions;

// commander loads it for subcommands that are programs of their own; there are none here.
const noChildProcess = {
  name: 'no-child-process',
  resolveId: (name: string, importer?: string) =>
    name === 'node:child_process' && importer?.includes('commander') ? '\0absent' : null,
  load: (id: string) => (id === '\0absent' ? 'export default undefined' : null),
} satisfies Plugin;

const output = {
  dir: 'dist',
  // CommonJS starts faster: an ES module as the entry costs a fifth of bare node's start by itself, and so does the first `import()`.
  format: 'cjs',
  dynamicImportInCjs: false,
  minify: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
} satisfies OutputOptions;

// What a run loads in any case comes from one file, what a call to the platform needs from a second, and a change from a third: each
// file costs as much as its contents do.
const groups = [
  {
    name: 'core',
    test: /src[\\/](start|contract[\\/](operation|shared)|commands[\\/](listing|body))\.ts$/,
    priority: 2,
  },
  { name: 'call', test: /src[\\/](http[\\/](call|open|direct)|output[\\/]write)\.ts$/, priority: 1 },
  { name: 'change', test: /src[\\/](change|store[\\/]history)\.ts$/ },
];

export default defineConfig([
  // By itself, so that it shares nothing with the program and loads nothing of it.
  { ...shared, input: { launch: 'src/launch.ts' }, output },
  {
    ...shared,
    plugins: [noChildProcess, thirdParties()],
    input: { start: 'src/start.ts', 'write-texts': 'src/write-texts.ts', 'write-documents': 'src/write-documents.ts' },
    output: { ...output, codeSplitting: { groups } },
  },
  // For the tests of others, and by itself as well.
  {
    ...shared,
    plugins: [declarations('src/sandbox/library.ts', 'sandbox.d.cts')],
    input: { sandbox: 'src/sandbox/library.ts' },
    output: { ...output, chunkFileNames: 'sandbox-[name]-[hash].cjs' },
  },
]);
