import type { Context } from '../context.ts';
import { listUsers } from '../contract/orgs.ts';
import { toRequest } from '../contract/wire.ts';
import { type Detail, Failure, type FailureFacts } from '../failure.ts';
import { isRecord, memberOf, readPage } from '../http/page.ts';

/** What could be found out about the users of the organization; undefined where nothing could. */
type Seen = {
  readonly count: number;
  /** The caller's own row; null where no row is recognised as the caller. */
  readonly role: string | null;
};

/**
 * "403 caller is not admin, target is a root org, or the org has sub-organizations, devices or other users": a checklist of the four
 * causes, in which those are settled that one more GET can settle.
 */
export async function causesOf(orgId: string, context: Context): Promise<Pick<FailureFacts, 'details' | 'hint'>> {
  const who = await callerOf(context);
  const seen = await usersOf(orgId, who, context);
  return {
    details: [
      adminCause(who, seen),
      { message: 'it must not be a root organization: this cannot be found out here' },
      { message: 'it must have no sub-organizations and no devices: this cannot be found out here' },
      usersCause(seen),
    ],
    hint: `See its users: iiot orgs users list --org ${orgId}`,
  };
}

function adminCause(who: string | undefined, seen: Seen | undefined): Detail {
  const rule = 'you must be an admin of it';
  if (who === undefined) return { message: `${rule}: a client credential is no user, and has no role in it` };
  if (!seen || seen.role === null) return { message: `${rule}: the role of ${who} could not be found out` };
  const verdict = seen.role === 'admin' ? 'which is fine' : 'which is in the way';
  return { message: `${rule}: ${who} is ${seen.role} in it, ${verdict}` };
}

function usersCause(seen: Seen | undefined): Detail {
  const rule = 'it must have no other users';
  if (!seen) return { message: `${rule}: they could not be listed` };
  const others = seen.count - (seen.role === null ? 0 : 1);
  if (others <= 0) return { message: `${rule}: it has none, which is fine` };
  return { message: `${rule}: it has ${others}, which ${others === 1 ? 'is' : 'are'} in the way` };
}

/** The account of a person; undefined for a machine. */
async function callerOf(context: Context): Promise<string | undefined> {
  const { account, flow } = await (await context.session()).status();
  return flow === 'm2m' ? undefined : account;
}

async function usersOf(orgId: string, who: string | undefined, context: Context): Promise<Seen | undefined> {
  try {
    const platform = await context.platform();
    const reply = await platform.send(listUsers, toRequest(listUsers, { orgId, maxResultCount: 1000 }));
    const { items, total = items.length } = readPage(reply.value, 0);
    return { count: total, role: roleOf(who, items) };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  }
}

/** Users have a name and an id; whatever else a platform tells of them, an e-mail perhaps, may be what the caller is known by. */
function roleOf(who: string | undefined, items: readonly unknown[]): string | null {
  const own = items.find(
    (item) =>
      who !== undefined &&
      typeof item === 'object' &&
      item !== null &&
      Object.values(item).some((value) => typeof value === 'string' && value.toLowerCase() === who.toLowerCase()),
  );
  const role = isRecord(own) ? memberOf(own, 'orgRole') : undefined;
  return typeof role === 'string' ? role : null;
}
