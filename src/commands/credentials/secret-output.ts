import { fstatSync, statSync } from 'node:fs';
import type { Context } from '../../command/context.ts';
import { formatOf } from '../../command/settings.ts';
import { usage } from '../../failure.ts';
import { allColumns } from '../../output/result.ts';

/**
 * Without a file or profile, the secret must be readable on stdout, or it is lost: "with neither and a plain table into a pipe it is a
 * usage error before anything is sent", and so is every other output that would omit it.
 * @throws usage
 */
export async function refuseUnshown(context: Context): Promise<void> {
  const { options, settings, world } = context;
  const format = formatOf(options, settings);
  if (isNowhere(world.stdout)) throw unshown('stdout is closed or leads nowhere');
  if (options.jq !== undefined) {
    if (!(await lets(options.jq))) throw unshown('the --jq expression leaves it out', '--jq');
    return;
  }
  if (format === 'id') throw unshown('-o id prints only the ID', '--output');
  if (format === 'table' && world.stdout.isTTY !== true)
    throw unshown('a table in a pipe is not a safe place for it', '--output');
  const columns = options.columns?.split(',').map((name) => name.trim());
  if (columns && !['clientSecret', allColumns].some((name) => columns.includes(name)))
    throw unshown('--columns leaves it out', '--columns');
}

function unshown(reason: string, option = '--secret-file') {
  const hint = 'Use --secret-file FILE or --save-profile NAME, or -o json to get it in the result';
  return usage(`The secret is shown only once, and ${reason}, so nothing was created.`, hint, [
    { option, message: 'would lose the secret' },
  ]);
}

/** Whether the output of a jq expression contains the secret, tried with a sample. */
async function lets(expression: string): Promise<boolean> {
  const secret = 'thesecretitself';
  const sample = {
    clientCredentialId: 'id',
    clientId: 'client',
    clientSecret: secret,
    name: 'name',
    createdAt: '2026-01-01T00:00:00Z',
    expiredAt: null,
  };
  const { runJq } = await import('../../output/jq.ts');
  try {
    const { values } = await runJq(expression, JSON.stringify(sample));
    return values.some((value) => value.includes(secret) || Buffer.from(value, 'base64').includes(secret));
  } catch {
    return false; // it fails for the sample, so it would fail for the result
  }
}

/** Whether stdout is /dev/null; Node also opens that for a closed stdout. */
function isNowhere(stdout: object): boolean {
  if (!('fd' in stdout) || typeof stdout.fd !== 'number') return false;
  try {
    const [ours, nowhere] = [fstatSync(stdout.fd), statSync('/dev/null')];
    return ours.isCharacterDevice() && ours.rdev === nowhere.rdev;
  } catch {
    return false; // a system without /dev/null
  }
}
