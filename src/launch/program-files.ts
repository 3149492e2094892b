/** Loads the files of the program from wherever they are: a folder, a cache, or the executable itself. */
import type { Script } from 'node:vm';
import { ignoreError } from '../text/ignore-error.ts';
import { replaced } from '../version.ts';

export type ProgramFiles = {
  /** A file of the bundle by its name, such as "core-1a2b3c4d.cjs". */
  readonly source: (name: string) => string;
  /** The compiled code of a file, if cached. */
  readonly compiled: (name: string) => Uint8Array | undefined;
  /** Reads all files into memory. From then on, replacing them on disk has no effect on this process. */
  readonly keep?: () => void;
  /** Called with each file after it has run. */
  readonly onScript?: (name: string, script: Script) => void;
};

/** A `require` for the bundle's files: each runs once, and can require other files of the bundle and Node's own modules. */
export function requireFrom({ source, compiled, onScript }: ProgramFiles, process: NodeJS.Process): NodeJS.Require {
  const vm = process.getBuiltinModule('node:vm');
  const loaded = new Map<string, { exports: unknown }>();
  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : process.getBuiltinModule(id));
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    try {
      const text = ignoreError(() => source(name));
      if (text === undefined) throw Object.assign(new Error(`${name} is gone`), { code: replaced });
      const cachedData = compiled(name);
      const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
        filename: name,
        ...(cachedData && { cachedData }),
      });
      script.runInThisContext()(module.exports, require, module, process.execPath, '.');
      onScript?.(name, script);
      return module.exports;
    } catch (error) {
      loaded.delete(name); // otherwise the next caller would get half a module
      throw error;
    }
  };
  return require as NodeJS.Require; // the bundle only calls it
}
