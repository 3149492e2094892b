/** Writes config.json with conf, and adds what conf lacks: it follows links, syncs the folder, and cleans up after killed writers. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attemptTo, codeOf } from '../files/file-failure.ts';
import { isUnsupported } from '../files/file-system.ts';
import { copyPathOf, fileNamesIn } from '../files/open-regular.ts';
import { followLinks, refuseNonFile, syncFolder, tryToRemove, writePrivately } from '../files/private-file.ts';
import { parseSafely } from '../text/json.ts';
import { type Config, emptyConfig, type ProfileField, profileFields } from './config.ts';
import type { Writer } from './json-document.ts';

/** The format version of the file, for conf's migrations: each version needs an entry in `migrations`. */
const formatVersion = '1.0.0';

type Conf = import('conf').default<Record<string, unknown>>;

/** The files that conf has opened in this run, by their paths: it checks a file whenever it opens one. */
const openedFiles = new Map<string, Conf>();

/** Loads conf, and returns a writer that replaces the file at a path: at any moment the whole old or the whole new file is there, with mode 0600. */
export async function loadConfigWriter(): Promise<Writer<Config>> {
  const { default: Conf } = await import('conf');
  const replaceWithConf = (target: string, { current, ...others }: Config) => {
    const file =
      openedFiles.get(target) ?? new Conf({ ...options, cwd: dirname(target), configName: basename(target) });
    openedFiles.set(target, file);
    // A default that nobody has chosen is not written.
    file.store = current === emptyConfig.current && !file.has('current') ? others : { current, ...others };
  };
  const replace = (path: string, config: Config) => {
    const target = followLinks(path);
    refuseNonFile(target);
    attemptTo('write', target === path ? path : `${path} (a link to ${target})`, () => {
      try {
        if (!existsSync(copyPathOf(path))) return replaceWithConf(target, config);
      } catch (error) {
        if (codeOf(error) !== 'EBUSY' && !isUnsupported(error)) throw error;
      }
      writePrivately(path, options.serialize(config), true);
    });
    syncFolder(dirname(target));
    removeKilledWrites(target);
  };
  return { replace };
}

const fileSchema = {
  version: { type: 'number' },
  current: { type: 'string' },
  profiles: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(profileFields).map(([key, field]) => [key, schemaForConf(field)])),
    },
  },
} as const;

const options = {
  fileExtension: '',
  configFileMode: 0o600,
  clearInvalidConfig: false,
  accessPropertiesByDotNotation: false,
  projectVersion: formatVersion,
  migrations: { [formatVersion]: (file: Conf) => file.set('version', 1) },
  schema: fileSchema,
  // The schema is our own; validating it would take longer than everything else, while others wait for the lock.
  ajvOptions: { validateSchema: false },
  serialize: (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`,
  deserialize: parseConfig,
};

function schemaForConf(field: ProfileField) {
  return field.type === 'string' && field.enum ? { type: field.type, enum: [...field.enum] } : { type: field.type };
}

/** Parses a file as `readDocument` does, which has read it before under the same lock: with a byte order mark, and without prototypes. */
function parseConfig(text: string): Record<string, unknown> {
  const read = parseSafely(text);
  if ('wrong' in read) throw new Error(read.wrong);
  return read.value as Record<string, unknown>; // readDocument has checked that it is an object
}

/** Removes conf's temporary files of a file. Only the holder of its lock writes, so all of them were left by killed processes. */
function removeKilledWrites(target: string): void {
  const [folder, temporary] = [dirname(target), `${basename(target)}.tmp-`];
  for (const name of fileNamesIn(folder)) {
    if (name.startsWith(temporary) && /^\d{10}[0-9a-f]{6}$/.test(name.slice(temporary.length)))
      tryToRemove(join(folder, name));
  }
}
