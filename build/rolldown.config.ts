import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown';
import { declarations } from './declarations.ts';
import { thirdParties } from './third-parties.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const shared = {
  platform: 'node',
  transform: {
    define: {
      __VERSION__: JSON.stringify(version),
      // conf would write in place, and not all at once, in a terminal that some snap package opened.
      'process.env.SNAP': 'undefined',
    },
    target: 'node20.18',
  },
} satisfies RolldownOptions;

/** Modules that a package imports and this program does not need, by package and module. */
const absent: Readonly<Record<string, string>> = {
  // commander loads it for subcommands that are programs of their own, and there are none here.
  'commander node:child_process': 'export default undefined',
  // Its colours are not used.
  'cli-table3 @colors/colors/safe': 'export default undefined',
  // conf uses it to remove its temporary files at a signal. This program handles signals, and removes such files, itself.
  'atomically when-exit': 'export default () => () => {}',
  // conf asks it for a folder if it is given none. Loading it fails for an account without a home.
  'conf env-paths': 'export default undefined',
};

const withoutAbsent = {
  name: 'without-absent',
  resolveId: (name: string, importer?: string) => {
    const key = Object.keys(absent).find((each) => {
      const [owner, module] = each.split(' ');
      return module === name && importer?.includes(`node_modules/${owner}/`);
    });
    return key === undefined ? null : `\0${key}`;
  },
  load: (id: string) => absent[id.slice(1)] ?? null,
} satisfies Plugin;

// cli-table3 brings an older string-width, with which wide characters do not align.
const oneMeasure = {
  name: 'one-measure',
  resolveId(name: string, importer?: string) {
    if (!importer?.includes('cli-table3')) return null;
    return name === 'string-width' ? resolve('build/string-width.cjs') : null;
  },
} satisfies Plugin;

// V8 keeps a longer text apart from young objects, and so has less reason to collect garbage before a short run is over.
const longestYoung = 132_000;

// Files that most runs load, in ASCII. V8 reads such a text at once, and any other text in pieces and into twice the memory.
const inAscii = {
  name: 'in-ascii',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !groups.some(({ name }) => name === file.name)) continue;
      if (/\\[^\0-\x7f]/.test(file.code))
        this.error(`${file.fileName} has a backslash before a letter that is not ASCII`);
      const code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      file.code = code.padEnd(longestYoung);
    }
  },
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
    test: /src[\\/](launch[\\/]start|contract[\\/](operation|shared)|commands[\\/]list|command[\\/]body)\.ts$/,
    priority: 2,
  },
  {
    name: 'call',
    test: /src[\\/](http[\\/]platform|cli[\\/]open-wire|network[\\/]network|output[\\/]write)\.ts$/,
    priority: 1,
  },
  { name: 'change', test: /src[\\/](command[\\/]perform|store[\\/]history)\.ts$/ },
];

export default defineConfig([
  // A bundle of its own, so that it loads nothing of the program.
  { ...shared, input: { launch: 'src/launch/launch.ts' }, output },
  // Answers a Tab, in a bundle of its own, too.
  { ...shared, input: { complete: 'src/shell/complete.ts' }, output },
  {
    ...shared,
    plugins: [withoutAbsent, oneMeasure, inAscii, thirdParties()],
    input: {
      start: 'src/launch/start.ts',
      'write-texts': 'src/launch/write-texts.ts',
    },
    output: { ...output, codeSplitting: { groups } },
  },
  // For tests in other projects, in a bundle of its own, too.
  {
    ...shared,
    plugins: [declarations('src/sandbox/library.ts', 'sandbox.d.cts')],
    input: { sandbox: 'src/sandbox/library.ts' },
    output: { ...output, chunkFileNames: 'sandbox-[name]-[hash].cjs' },
  },
]);
