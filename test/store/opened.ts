import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Login } from '../../src/store/credentials.ts';
import { openStore } from '../../src/store/store.ts';
import { freshFolder } from './processes.ts';

export const user: Login = {
  flow: 'user',
  origin: 'https://iot.example:8443',
  base: 'https://iot.example:8443/edge',
  accessToken: 'access-CANARY',
  expiresAt: 1_800_000_000_000,
  refreshToken: 'refresh-CANARY',
  tenant: 'acme',
};
export const machine: Login = {
  flow: 'm2m',
  origin: 'https://b.example',
  base: 'https://b.example',
  clientId: 'id',
  clientSecret: 'CANARY',
};
/** What the store's clock says. */
export const now = 1_790_000_000_000;

/** A store in a folder that does not exist yet. */
export function openFresh() {
  const folder = join(freshFolder(), 'new', 'iiot');
  const warnings: string[] = [];
  const store = openStore({
    env: { IIOT_CONFIG_DIR: folder },
    platform: process.platform,
    homedir: () => '/',
    now: () => now,
    warn: (line) => warnings.push(line),
    uid: process.getuid?.(),
  });
  const path = (name: string) => join(folder, name);
  const put = (name: string, text: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path(name), text, { mode: 0o600 });
  };
  const json = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'));
  const modeOf = (name: string) => (statSync(path(name)).mode & 0o777).toString(8);
  return { store, folder, warnings, path, put, json, modeOf };
}

/** A failure of the machine's own files. */
export const failing = (message: string, hint?: string) =>
  expect.objectContaining({ kind: 'io', message, ...(hint && { facts: expect.objectContaining({ hint }) }) });
