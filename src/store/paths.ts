import { posix, win32 } from 'node:path';
import { type Config, emptyConfig, shapeConfig } from './config.ts';
import { type Credentials, emptyCredentials, shapeCredentials } from './credentials.ts';
import { configFolder, type StoreWorld } from './folder.ts';
import type { JsonDocument, Writer } from './json-document.ts';
import { emptyTokens, shapeTokens, type TokenCache } from './token-cache.ts';

/** Loaded once, so that a second change in the same run does not load it again. */
let loading: Promise<Writer<Config>> | undefined;

function configWriter(): Promise<Writer<Config>> {
  loading ??= import('./config-writer.ts').then(({ loadConfigWriter }) => loadConfigWriter());
  return loading;
}

export type StorePaths = {
  readonly config: string;
  readonly credentials: string;
  readonly tokens: string;
  readonly locks: string;
};

export type Files = {
  readonly folder: string;
  readonly paths: StorePaths;
  readonly config: JsonDocument<Config>;
  readonly credentials: JsonDocument<Credentials>;
  readonly tokens: JsonDocument<TokenCache>;
};

/** The files of the store, located on first use. */
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
    config: {
      path: paths.config,
      secret: false,
      empty: emptyConfig,
      shape: shapeConfig,
      fix: fixes.config,
      loadWriter: configWriter,
    },
    credentials: {
      path: paths.credentials,
      secret: true,
      empty: emptyCredentials,
      shape: shapeCredentials,
      fix: fixes.credentials,
    },
    tokens: { path: paths.tokens, secret: true, empty: emptyTokens, shape: shapeTokens, fix: fixes.tokens },
  };
}

const fixes = {
  config: 'Fix it with an editor, or move it away: iiot login then creates a new one.',
  credentials: 'Run: iiot login (it sets this file aside and creates a new one), or iiot logout --all (it removes it)',
  tokens: 'Remove it: it is a cache.',
} as const;
