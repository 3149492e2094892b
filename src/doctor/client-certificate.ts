import { statSync } from 'node:fs';
import { clientUse } from '../command/client-files.ts';
import type { Context } from '../command/context.ts';
import { namesOf } from '../network/certificate.ts';
import { certificateOf } from '../network/own-certificate.ts';
import { changeModeCommand } from '../text/shell-lines.ts';
import { certificateFinding } from './days.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'client-certificate';

/**
 * Checks which client certificate is used, when it expires, and whether others can read its key.
 * @throws usage for unusable files
 */
export async function* checkClientCertificate(context: Context): AsyncGenerator<Finding> {
  const use = clientUse(context.settings);
  if (!use) return;
  if ('unused' in use) {
    yield ok(check, `not used: ${use.unused}`);
    return;
  }
  const { cert, key = cert } = use.files;
  const client = await context.clientCertificate();
  const parts = client && (await certificateOf(client.identity));
  if (!parts) return;
  const { subject, ...names } = namesOf(parts);
  const says = (validity: string) => `${subject} (${cert.value}, ${cert.from}), ${validity}`;
  yield certificateFinding(check, names, says, 'Ask the operator of the gateway for a new one', context.world.now());
  yield* checkMode(key.value, context.world.platform);
}

/** Not on Windows, where a mode means nothing. */
function* checkMode(path: string, platform: NodeJS.Platform): Generator<Finding> {
  const mode = statSync(path).mode & 0o777;
  if (platform === 'win32' || (mode & 0o077) === 0) return;
  yield warning(
    check,
    `Others on this machine can read its key: ${path} has mode ${mode.toString(8)}.`,
    `Run: ${changeModeCommand('600', path)}`,
  );
}
