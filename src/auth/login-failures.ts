import { Failure } from '../failure.ts';
import { type Place, placeWords } from '../place.ts';
import type { Login } from '../store/credentials.ts';
import { optionForShell } from '../text/shell-lines.ts';

export function loginCommand(profile: string, flow: Login['flow'] = 'user'): string {
  return `iiot login${flow === 'm2m' ? ' m2m' : ''}${profile === 'default' ? '' : ` ${optionForShell('profile', profile)}`}`;
}

/** @param isJob whether the command runs without a user who could log in */
export function notLoggedIn(profile: string, isJob: boolean): Failure {
  const login = loginCommand(profile);
  const hint = isJob ? `Set IIOT_BASE_URL, IIOT_CLIENT_ID and IIOT_CLIENT_SECRET, or run: ${login}` : `Run: ${login}`;
  return new Failure('unauthenticated', 'You are not logged in.', { hint });
}

/** A login is valid for its own base URL only (docs/contract.md, "Origins"). */
export function loggedInElsewhere(profile: string, base: string, login: Login): Failure {
  const sentence = `Not logged in to ${base}: the login of profile ${profile} belongs to ${login.base}, and is never sent elsewhere.`;
  const hint = `Log in there with a separate profile: iiot login --profile NAME ${optionForShell('base-url', base)}`;
  return new Failure('unauthenticated', sentence, { hint });
}

/** @param wanted the tenant or account that was set after the login: "tenant globex (IIOT_TENANT)" */
export function loggedInOtherwise(profile: string, place: Place, wanted: string): Failure {
  const sentence = `Profile ${profile} is logged in to ${placeWords(place)}, and not for ${wanted}.`;
  return new Failure('unauthenticated', sentence, {
    hint: `Log in again: ${loginCommand(profile)}`,
    refused: 'elsewhere',
  });
}

/** The failure for a profile whose login has become that of another place or account while a command runs. */
export function loggedInAnew(profile: string, before: Place, after: Place): Failure {
  const sentence = `Profile ${profile} was logged in anew meanwhile: this command began at ${placeWords(before, after)}; now it is ${placeWords(after, before)}.`;
  const { base, tenant = '', account, clientId = '' } = before;
  const hint =
    account === undefined
      ? `Log in there again: iiot login m2m ${optionForShell('profile', profile)} ${optionForShell('base-url', base)} ${optionForShell('client-id', clientId)}`
      : `Log in there again: iiot login ${optionForShell('profile', profile)} ${optionForShell('base-url', base)} ${optionForShell('tenant', tenant)} ${optionForShell('account', account)}`;
  return new Failure('unauthenticated', sentence, { hint, refused: 'elsewhere' });
}

export function loggedOut(profile: string): Failure {
  const hint = `Log in: ${loginCommand(profile)}`;
  return new Failure('unauthenticated', `Profile ${profile} was logged out in the meantime.`, { hint });
}

/** The failure for a login without a refresh token or client secret, or one that the platform has refused to renew. @param now epoch milliseconds */
export function cannotRenew(profile: string, login: Login, now: number): Failure {
  const { flow, expiresAt, renewalRefusedAt } = login;
  const state = expiresAt !== undefined && expiresAt <= now ? 'has expired, and cannot' : 'cannot';
  const lacks = flow === 'm2m' ? 'client secret' : 'refresh token';
  const sentence =
    renewalRefusedAt === undefined
      ? `The login of profile ${profile} ${state} be renewed: it has no ${lacks}.`
      : `The platform refused to renew the login of profile ${profile} at ${new Date(renewalRefusedAt).toISOString()}.${cutOffWords(login)}`;
  return new Failure('unauthenticated', sentence, { hint: `Log in again: ${loginCommand(profile, flow)}` });
}

/** A sentence about a renewal without a response, which explains why the platform says that a refresh token was used before. */
export function cutOffWords({ renewalSentAt }: Login): string {
  if (renewalSentAt === undefined) return '';
  return ` A renewal was cut off at ${new Date(renewalSentAt).toISOString()}; its response never came.`;
}
