import { posix, win32 } from 'node:path';
import { type Config, emptyConfig, shapeConfig } from './config.ts';
import { type Credentials, emptyCredentials, shapeCredentials } from './credentials.ts';
import { configFolder, type StoreWorld } from './folder.ts';
import type { KeptFile } from './kept-file.ts';
import { emptyTokens, shapeTokens, type Tokens } from './tokens.ts';

export type StorePaths = {
  readonly config: string;
  readonly credentials: string;
  readonly tokens: string;
  readonly locks: string;
};

export type Files = {
  readonly folder: string;
  readonly paths: StorePaths;
  readonly config: KeptFile<Config>;
  readonly credentials: KeptFile<Credentials>;
  readonly tokens: KeptFile<Tokens>;
};

/** The files of the store, found when they are first asked for. */
export function filesOf(world: StoreWorld): () => Files {
  let known: Files | undefined;
  return () => {
    known ??= filesIn(configFolder(world), world);
    return known;
  };
}

function filesIn(folder: string, { platform }: StoreWorld): Files {
  const { join } = platform === 'win32' ? win32 : posix;
  const paths = {
    config: join(folder, 'config.json'),
    credentials: join(folder, 'credentials.json'),
    tokens: join(folder, 'tokens.json'),
    locks: join(folder, 'locks'),
  };
  return {
    folder,
    paths,
    config: { path: paths.config, secret: false, empty: emptyConfig, shape: shapeConfig, mend: mend.config },
    credentials: {
      path: paths.credentials,
      secret: true,
      empty: emptyCredentials,
      shape: shapeCredentials,
      mend: mend.credentials,
    },
    tokens: { path: paths.tokens, secret: true, empty: emptyTokens, shape: shapeTokens, mend: mend.tokens },
  };
}

const mend = {
  config: 'Mend it with an editor, or move it away: iiot login then begins a new one.',
  credentials: 'Run: iiot login (it keeps this file aside and begins a new one), or iiot logout --all (it removes it)',
  tokens: 'Remove it: it is a cache.',
} as const;
