/** The program's files in another place than a folder, and how they load each other there. */
import type { Script } from 'node:vm';

export type ProgramFiles = {
  /** A file of the bundle by its name, "core-1a2b3c4d.cjs" say. */
  readonly source: (name: string) => string;
  /** What V8 has compiled of it, where that is kept. */
  readonly compiled: (name: string) => Uint8Array | undefined;
  /** Told of each file that is loaded. */
  readonly onScript?: (name: string, script: Script) => void;
};

/** A `require` for the bundle's files: each is run once, and may ask for its neighbours and for Node's own modules. */
export function requireFrom({ source, compiled, onScript }: ProgramFiles, process: NodeJS.Process): NodeJS.Require {
  const vm = process.getBuiltinModule('node:vm');
  const loaded = new Map<string, { exports: unknown }>();
  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : process.getBuiltinModule(id));
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const cachedData = compiled(name);
    const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source(name)}\n})`, {
      filename: name,
      ...(cachedData && { cachedData }),
    });
    script.runInThisContext()(module.exports, require, module, process.execPath, '.');
    onScript?.(name, script);
    return module.exports;
  };
  return require as NodeJS.Require; // the bundle asks for nothing but the call
}
