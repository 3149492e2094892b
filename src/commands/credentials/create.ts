import { bodyOf, checkRequest } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import { confirm } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { usage } from '../../failure.ts';
import { fieldsOf } from '../../text/record.ts';
import { expiryOf } from './fields.ts';
import { issueCredential } from './issue.ts';
import { warnOfLeftovers } from './recovery.ts';
import { createdResult, saveSecret } from './save.ts';
import { secretTargetOf, targetFlags, tryTarget, withoutTarget } from './secret-target.ts';

export const expiresFlag = {
  type: 'string',
  flag: 'expires',
  value: 'DURATION|TIME',
  description: 'When it expires, for example 90d or 2027-01-31T00:00:00Z (default: never)',
} as const;

export const createCommand = command({
  name: 'credentials create',
  operation: createCredential,
  description:
    `${createCredential.description} The secret is written to --secret-file or to the profile of --save-profile, and is then not shown. Without ` +
    'either it is part of the result, at a terminal or with -o json. Until the secret is saved or printed, it is also in a private ' +
    'recovery file; an error names that file.',
  changes: 'reversible',
  adds: true,
  flags: { expiredAt: expiresFlag, ...targetFlags },
  examples: [
    {
      line: 'iiot credentials create --name ci --expires 90d --save-profile ci',
      says: 'For this machine, as a profile that is logged in',
    },
    {
      line: 'iiot credentials create --name robot --scope read --jq .clientSecret',
      says: 'The secret alone, for a vault',
    },
  ],
  async run(input, context) {
    const body = withExpiry(await bodyOf(createCommand, withoutTarget(input), context), input, context);
    checkRequest(createCommand, createCredential, { body }, context);
    const target = secretTargetOf(input);
    const base = baseUrl(context);
    if (context.options.dryRun) {
      return dryRunResult([{ request: toRequest(createCredential, { body }) }], base, context.world.platform);
    }
    await tryTarget(target, context);
    warnOfLeftovers(context);
    const name = String(fieldsOf(body).get('name'));
    await confirm({ action: `Create client credential "${name}"` }, context);
    const issued = await issueCredential(body, name, target.file, context);
    await saveSecret(issued, target, context);
    return createdResult(issued, target, context);
  },
});

/** Parses --expires here, because the platform accepts only a time. @throws usage */
export function withExpiry(body: object, { expiredAt, bodyFile }: ExpiryInput, { world }: Context): object {
  if (expiredAt === undefined) return body;
  if (bodyFile !== undefined)
    throw usage('--body-file is the whole body and cannot be combined with --expires.', 'Give one or the other');
  return { ...body, expiredAt: expiryOf(expiredAt, world.now()) };
}

type ExpiryInput = { readonly expiredAt?: string | null | undefined; readonly bodyFile?: string };
