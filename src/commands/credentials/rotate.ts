import { checkRequest, readBody } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import { openConfirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { dryRunsSchema } from '../../command/dry-run-schema.ts';
import { isForProgram } from '../../command/perform.ts';
import { baseUrl } from '../../command/target.ts';
import { latest, toUtc } from '../../command/time.ts';
import { createCredential, deleteCredential } from '../../contract/credentials.ts';
import type { Schema } from '../../contract/schema.ts';
import { toRequest } from '../../contract/wire.ts';
import { asFailure, Failure, usage } from '../../failure.ts';
import { spanText } from '../../output/brief.ts';
import { fieldsOf, type JsonRecord, memberOf } from '../../text/record.ts';
import {
  credentialFacts,
  describeUse,
  expiresFlag,
  expiryToSend,
  findUses,
  noteFarExpiry,
  readMachineLogins,
  timeIn,
  withExpiry,
} from './credential.ts';
import { type IssuedCredential, issueCredential } from './issue.ts';
import { warnOfLeftovers } from './leftovers.ts';
import { deletionOf, findCredential, missingCredential, readPlatformTime, removeCredential } from './list.ts';
import { proveCredential } from './prove.ts';
import {
  checkPlaces,
  createdResult,
  createdSchema,
  placeNames,
  type SecretPlace,
  saveSecret,
  secretPlacesFor,
  targetFlags,
  withoutTarget,
} from './secret-places.ts';

const { name, scopes, deviceIds } = createCredential.body.properties;
const replacesOld = <S extends Schema>(schema: S): S => ({
  ...schema,
  description: `${schema.description}, instead of the old one's`,
});
const properties = { name: replacesOld(name), scopes: replacesOld(scopes), deviceIds: replacesOld(deviceIds) };
/** The creation of a successor: the old one gives what is not typed. */
const createSuccessor = { ...createCredential, body: { ...createCredential.body, required: [], properties } };

export const rotateCommand = command({
  name: 'credentials rotate',
  without: { each: 'each secret needs a place of its own' },
  changes: { undoable: false, dryRun: dryRunsSchema },
  shell: { ends: { not_found: 'Client credential not found' } },
  operation: createSuccessor,
  result: createdSchema,
  summary: 'Replace a client credential with a new one',
  description:
    'Creates a successor, tests it by getting an access token, saves it, and only then deletes the old client credential, ' +
    'whose access tokens become invalid immediately. Name, scopes and devices are copied, and the lifetime starts ' +
    'over, unless an option changes them. Without --secret-file or --save-profile, the secret goes into the profiles that use the old one. ' +
    'If it stops halfway, it says what exists and how to continue.',
  arguments: { clientCredentialId: { type: 'string', description: 'Client credential' } },
  flags: {
    expiredAt: {
      ...expiresFlag,
      description: expiresFlag.description.replace('never', "the old one's lifetime, from now"),
    },
    ...targetFlags,
    keepOld: { type: 'boolean', description: 'Do not delete the old one: others still use it' },
  },
  examples: {
    'iiot credentials rotate credential_001 --save-profile robot --yes': 'Into a profile, from a script',
    'iiot credentials rotate credential_001 --secret-file new.secret --keep-old --yes':
      'For a job with its own store: put it there, then delete the old one',
    'iiot credentials rotate credential_001 --dry-run': 'See the requests first',
  },
  async run(input, context) {
    const id = input.clientCredentialId;
    checkRequest(rotateCommand, deleteCredential, { clientCredentialId: id }, context);
    const { keepOld = false } = input;
    const given = withExpiry(await readBody(rotateCommand, withoutTarget(input), context), input, context);
    const doubt = noteFarExpiry(given, input, context);
    if (context.options.dryRun) return dryRun(id, given, keepOld, context);
    baseUrl(context);
    const requested = secretPlacesFor(input, context);
    if (requested.length === 0 && readMachineLogins(context).length === 0) await checkPlaces(requested, context);
    const deleted =
      'It is deleted once its successor works and is saved, and its access tokens become invalid immediately.';
    const asks = [doubt, keepOld ? 'It is kept beside its successor.' : deleted].filter(Boolean).join(' ');
    const announce = doubt ? [doubt] : [];
    const ask = await openConfirmation({ action: `Rotate client credential ${id}`, asks, announce }, context);
    const warn = ask ? context.warn : context.notice;
    const print = !ask && isForProgram(context) ? () => undefined : warn;
    warnOfLeftovers(context);
    const old = await findCredential(id, context);
    if (!old) throw missingCredential(id, context);
    const now = await readPlatformTime(context);
    const timed = withExpiry(given, input, context, now);
    let first: string | undefined;
    const needsConsent = (failure: Failure) => {
      if (context.options.yes === true) throw failure;
      first = failure.message;
    };
    const body = input.bodyFile !== undefined ? given : successorOf(old, timed, now, { print, warn, needsConsent });
    checkRequest(rotateCommand, createCredential, { body }, context);
    const use = await findUses(credentialFacts(old), context);
    const places = secretPlacesFor(input, context, use.profiles);
    await checkPlaces(places, context);
    for (const line of describeUse(use, credentialFacts(old), context)) print(line);
    for (const name of use.profiles.filter((each) => !placeNames(places, 'profile').includes(each)))
      print(`Profile ${name} keeps the old one${keepOld ? '' : ', and cannot log in afterwards'}.`);
    if (use.variable) print(`Afterwards, use the successor wherever ${use.variable} is set.`);
    await ask?.(first);
    return rotate(id, { body, places, keepOld }, context);
  },
});

type Rotation = { readonly body: object; readonly places: readonly SecretPlace[]; readonly keepOld: boolean };

async function rotate(id: string, { body, places, keepOld }: Rotation, context: Context) {
  const [file] = placeNames(places, 'file');
  const issued = await issueCredential({ body, file, knownIds: [id] }, context);
  const token = await proveCredential(issued, id, context);
  await saveSecret(issued, places, context, token).catch((error: unknown) => {
    const { kind, message, facts } = asFailure(error);
    throw new Failure(kind, `${message} The old credential, ${id}, is unchanged.`, facts);
  });
  const next = async () => {
    if (!keepOld) return deleteOld(id, issued, places, context);
    context.notice(`The old credential still works. Once nobody uses it, delete it: ${deletionOf(id, context)}`);
    return undefined;
  };
  // A printed secret is safe only after it is printed, so the old credential is deleted after that.
  if (places.length === 0) return createdResult(issued, places, context, { previous: id, next });
  const failure = await next();
  if (failure) throw failure;
  return createdResult(issued, places, context, { previous: id });
}

/** Deletes the old credential, once the new secret is safe. @returns a failure that says what to do, or undefined */
async function deleteOld(id: string, issued: IssuedCredential, places: readonly SecretPlace[], context: Context) {
  try {
    await removeCredential(id, context);
    return undefined;
  } catch (error) {
    const cause = asFailure(error);
    const words = places.map(({ kind, name }) => (kind === 'file' ? name : `profile ${name}`));
    const where = words.length > 0 ? `saved (${words.join(', ')})` : 'printed on stdout';
    const sentence = `The successor ${issued.credential.id ?? ''} works and is ${where}, but the old client credential ${id} could not be deleted: ${cause.message}`;
    return new Failure(cause.kind, sentence, { ...cause.facts, hint: `Delete it: ${deletionOf(id, context)}`, cause });
  }
}

async function dryRun(id: string, given: object, keepOld: boolean, context: Context) {
  const title = fieldsOf(given).get('name') ?? `(the name of ${id})`;
  const body = { ...Object.fromEntries(fieldsOf(given)), name: title };
  checkRequest(rotateCommand, createCredential, { body }, context);
  const copied =
    'What you do not give (name, scopes, devices, lifetime) is taken from the old one, which a dry run does not read.';
  if (!isForProgram(context)) context.notice(copied);
  const removal = toRequest(deleteCredential, { clientCredentialId: id });
  const steps = [
    { request: toRequest(createCredential, { body }), notes: [copied] },
    ...(keepOld ? [] : [{ request: removal, notes: ['Once the successor has got a token and is saved.'] }]),
  ];
  return dryRunResult(steps, baseUrl(context), context.world.platform);
}

type Print = (line: string) => void;
type Prints = { readonly print: Print; readonly warn: Print; readonly needsConsent: (failure: Failure) => void };

const [hour, tenthOfYear] = [3_600_000, 36.5 * 86_400_000];

/**
 * The body of a successor: the given fields, and the rest from the old credential. The interface does not show which fields the list
 * returns, so missing ones are reported.
 * @param now epoch milliseconds
 * @param warn says what the successor does not have because the old one did not show it: it may be allowed more
 * @param needsConsent takes a failure that only a person may ignore: the successor has little time left
 * @throws usage if the name has to be given, or if the expiry is in the past
 */
function successorOf(old: JsonRecord, given: object, now: number, prints: Prints): object {
  const { warn } = prints;
  const fields = fieldsOf(given);
  const copied = {
    name: fields.has('name') ? undefined : successorName(old),
    scopes: fields.has('scopes') ? undefined : copiedList('scopes', '--scope', old, warn),
    deviceIds: fields.has('deviceIds') ? undefined : copiedList('deviceIds', '--device-id', old, warn),
    expiredAt: fields.has('expiredAt') ? undefined : expiryOf(old, now, prints),
  };
  const present = Object.entries(copied).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(present), ...Object.fromEntries(fields) };
}

function successorName(old: JsonRecord): string {
  const { name } = credentialFacts(old);
  if (name !== undefined) return name;
  throw usage("The platform does not return the old one's name.", 'Give the name of the successor with --name', [
    { option: '--name', message: 'is required' },
  ]);
}

function copiedList(field: 'scopes' | 'deviceIds', option: string, old: JsonRecord, warn: Print) {
  const value = memberOf(old, field);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length > 0 ? value : undefined;
  if (value !== null)
    warn(`The platform does not return the ${field} of the old one: the successor has what ${option} gives.`);
  return undefined;
}

function expiryOf(old: JsonRecord, now: number, { print, warn, needsConsent }: Prints): string | undefined {
  const returned = memberOf(old, 'expiredAt');
  const expiry = returned === undefined ? undefined : expiryToSend(returned);
  if (expiry === undefined) {
    warn(
      'The platform does not return when the old one expires: the successor never expires unless you give --expires.',
    );
    return undefined;
  }
  if (expiry === null) return undefined;
  const end = Date.parse(expiry);
  const lifetime = end - (timeIn(memberOf(old, 'createdAt')) ?? end);
  if (lifetime > 0) {
    const renewed = toUtc(Math.min(Math.ceil((now + lifetime) / 1000) * 1000, latest));
    // The clocks of the platform and of whoever created it differ by some seconds.
    const span = spanText(Math.round(lifetime / hour) * hour || lifetime);
    print(`The successor has the old one's lifetime of ${span} and expires ${renewed}; use --expires to change that.`);
    return renewed;
  }
  const sentence =
    end <= now
      ? `The old one has expired (${expiry}), and so would its successor.`
      : `The successor expires as the old one does, in ${spanText(end - now)} (${expiry}).`;
  const failure = usage(sentence, 'Give --expires DURATION, or --expires never', [
    { option: '--expires', message: 'is required' },
  ]);
  if (end <= now) throw failure;
  if (end - now < tenthOfYear) needsConsent(failure);
  else print(`${sentence} Use --expires to change that.`);
  return expiry;
}
