import { bodyOf, checkRequest } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import { openConfirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { dryRunsSchema } from '../../command/dry-run-schema.ts';
import { isForProgram } from '../../command/perform.ts';
import { baseUrl } from '../../command/target.ts';
import { createCredential, deleteCredential } from '../../contract/credentials.ts';
import type { Schema } from '../../contract/schema.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure } from '../../failure.ts';
import { fieldsOf } from '../../text/record.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { expiresFlag, withExpiry } from './create.ts';
import { type CredentialFacts, credentialFacts } from './fields.ts';
import { type CredentialUse, describeUse, hasMachineLogin, usesOf } from './in-use.ts';
import { asFailure, type IssuedCredential, issueCredential, removeCredential } from './issue.ts';
import { findCredential, missingCredential } from './list.ts';
import { proveCredential } from './prove.ts';
import { warnOfLeftovers } from './recovery.ts';
import { createdResult, saveSecret } from './save.ts';
import { refuseUnshown } from './secret-output.ts';
import {
  isPrinted,
  type SecretTarget,
  secretTargetOf,
  targetFlags,
  tryTarget,
  withoutTarget,
} from './secret-target.ts';
import { successorOf } from './successor.ts';

const { name, scopes, deviceIds } = createCredential.body.properties;
const instead = <S extends Schema>(schema: S) => ({
  ...schema,
  description: `${schema.description}, instead of the old one's`,
});
const properties = { name: instead(name), scopes: instead(scopes), deviceIds: instead(deviceIds) };
/** The creation of a successor: the old one gives what is not typed. */
const createSuccessor = { ...createCredential, body: { ...createCredential.body, required: [], properties } };

export const rotateCommand = command({
  name: 'credentials rotate',
  operation: createSuccessor,
  summary: 'Replace a client credential with a new one',
  description:
    'Creates a successor of the client credential, gets an access token with it, saves it, and only then deletes the old one: every access ' +
    'token issued from that one becomes invalid immediately. Name, scopes and devices are copied from the old one, and its lifetime starts ' +
    'over, unless an option changes them. Without --secret-file or --save-profile, the secret goes into the profiles that use the old one. ' +
    'If it stops halfway, it says what exists and how to continue.',
  changes: 'final',
  dryRun: dryRunsSchema,
  ends: { not_found: 'Client credential not found' },
  arguments: { clientCredentialId: { type: 'string', description: 'Client credential' } },
  flags: {
    expiredAt: {
      ...expiresFlag,
      description: expiresFlag.description.replace('never', "the old one's lifetime, from now"),
    },
    ...targetFlags,
  },
  examples: [
    {
      line: 'iiot credentials rotate credential_001 --expires 90d --save-profile robot --yes',
      says: 'Into a profile, from a script',
    },
    { line: 'iiot credentials rotate credential_001 --dry-run', says: 'See the requests first' },
  ],
  async run(input, context) {
    const id = input.clientCredentialId;
    checkRequest(rotateCommand, deleteCredential, { clientCredentialId: id }, context);
    const given = withExpiry(await bodyOf(rotateCommand, withoutTarget(input), context), input, context);
    const isWhole = input.bodyFile !== undefined;
    if (context.options.dryRun) return dryRun(id, given, context);
    baseUrl(context);
    const requested = secretTargetOf(input);
    if (isPrinted(requested) && !hasMachineLogin(context)) await refuseUnshown(context);
    const asks =
      'It is deleted once its successor works and is saved, and its access tokens become invalid immediately.';
    const ask = await openConfirmation({ action: `Rotate client credential ${id}`, asks }, context);
    const warn = ask ? context.warn : context.notice;
    const print = !ask && isForProgram(context) ? () => undefined : warn;
    warnOfLeftovers(context);
    const old = await findCredential(id, context);
    if (!old) throw missingCredential(id, context);
    let first: string | undefined;
    const soon = (failure: Failure) => {
      if (context.options.yes === true) throw failure;
      first = failure.message;
    };
    const body = isWhole ? given : successorOf(old, given, context.world.now(), { print, warn, soon });
    checkRequest(rotateCommand, createCredential, { body }, context);
    const use = await usesOf(credentialFacts(old), context);
    const target = targetFor(requested, use);
    await tryTarget(target, context);
    for (const line of warnings(credentialFacts(old), use, target, context)) print(line);
    await ask?.(first);
    return rotated(id, body, target, context);
  },
});

async function rotated(id: string, body: object, target: SecretTarget, context: Context) {
  const issued = await issueCredential(body, String(fieldsOf(body).get('name')), target.file, context);
  const token = await proveCredential(issued, id, context);
  await saveSecret(issued, target, context, token).catch((error: unknown) => {
    throw stillThere(id, asFailure(error));
  });
  const finish = () => finished(id, issued, target, context);
  // A printed secret is safe only after it is printed, so the old credential is deleted after that.
  if (isPrinted(target)) return createdResult(issued, target, context, { more: { replaces: id }, next: finish });
  const failure = await finish();
  if (failure) throw failure;
  return createdResult(issued, target, context, { more: { replaces: id } });
}

/** By default the profiles that use the old credential, whose logins would end. Replacing these logins needs no --force. */
function targetFor(requested: SecretTarget, { profiles }: CredentialUse): SecretTarget {
  const own = requested.profiles.length > 0 ? requested.profiles : requested.file === undefined ? profiles : [];
  return { ...requested, profiles: own, replaces: own.filter((name) => profiles.includes(name)) };
}

function warnings(old: CredentialFacts, use: CredentialUse, target: SecretTarget, context: Context): string[] {
  const left = use.profiles.filter((name) => !target.profiles.includes(name));
  return [
    ...describeUse(use, old, context),
    ...left.map((name) => `Profile ${name} is not switched, and cannot log in afterwards.`),
    ...(use.variable ? [`Afterwards, whatever sets ${use.variable} needs the successor.`] : []),
  ];
}

/** Deletes the old credential, after the new secret is safe. If that fails, returns a failure that says what to do. */
async function finished(
  id: string,
  issued: IssuedCredential,
  target: SecretTarget,
  context: Context,
): Promise<Failure | undefined> {
  try {
    await removeCredential(id, context);
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    if (failure.kind === 'not_found') return undefined;
    const places = [
      ...(target.file === undefined ? [] : [target.file]),
      ...target.profiles.map((name) => `profile ${name}`),
    ];
    const where = places.length > 0 ? `saved (${places.join(', ')})` : 'in your hands';
    const sentence = `The successor ${issued.credential.id ?? ''} works and is ${where}, but the old client credential ${id} could not be deleted: ${failure.message}`;
    return new Failure(failure.kind, sentence, {
      ...failure.facts,
      hint: `Delete it: iiot credentials delete ${quoteForShell(id)}`,
      cause: failure,
    });
  }
}

function stillThere(id: string, failure: Failure): Failure {
  return new Failure(failure.kind, `${failure.message} The old credential, ${id}, is unchanged.`, failure.facts);
}

async function dryRun(id: string, given: object, context: Context) {
  const title = fieldsOf(given).get('name') ?? `(the name of ${id})`;
  const body = { ...Object.fromEntries(fieldsOf(given)), name: title };
  checkRequest(rotateCommand, createCredential, { body }, context);
  const copied =
    'What is not given (name, scopes, devices, lifetime) is taken from the old one, which a dry run does not read.';
  if (!isForProgram(context)) context.notice(copied);
  const steps = [
    { request: toRequest(createCredential, { body }), notes: [copied] },
    {
      request: toRequest(deleteCredential, { clientCredentialId: id }),
      notes: ['Once the successor has got a token and is saved.'],
    },
  ];
  return dryRunResult(steps, baseUrl(context), context.world.platform);
}
