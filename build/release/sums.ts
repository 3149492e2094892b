/** SHA256SUMS, and its signature. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { signatureName, sumsName } from './artefacts.ts';
import type { Facts } from './facts.ts';

/** As `sha256sum --check` reads it, sorted by name. */
export function sumsOf(sums: ReadonlyMap<string, string>): string {
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('');
}

export type Key = { readonly file: string; readonly password: string };

/** The signing key from the environment, or a sentence that says why the release is not signed. */
export function keyFrom(env: NodeJS.ProcessEnv): Key | string {
  const names = ['MINISIGN_SECRET_KEY_FILE', 'MINISIGN_PASSWORD'] as const;
  const [file, password] = names.map((name) => env[name]);
  if (file && password) return { file, password };
  const missing = names.filter((name) => !env[name]);
  const list = missing.join(' and ');
  // One of the two is a mistake, and a release that nobody notices to be unsigned.
  if (missing.length === 1) throw new Error(`A signature needs ${list}, too. Set it, or unset the other for none`);
  return `${list} are not set`;
}

/**
 * Signs SHA256SUMS in a folder with minisign, which asks for the password on its standard input.
 * @param openKey with which people will check it: a signature by any other key is not left there
 */
export async function sign(
  { version }: Facts,
  folder: string,
  { file, password }: Key,
  openKey?: string,
): Promise<void> {
  // Without a time, so that the signature of the same sums is the same.
  const words = ['-S', '-s', resolve(file), '-m', sumsName, '-x', signatureName, '-t', `iiot ${version}`];
  await execa('minisign', words, { cwd: folder, input: `${password}\n` });
  if (openKey === undefined) return;
  const check = ['-Vqm', sumsName, '-x', signatureName, '-p', resolve(openKey)];
  const { failed } = await execa('minisign', check, { cwd: folder, reject: false });
  if (!failed) return;
  rmSync(join(folder, signatureName));
  throw new Error(`The secret key does not belong to ${openKey}, so ${sumsName} is not signed`);
}
