/** Finds the form with the code on the page of step 3, and where to submit it. */
import type { Failure } from '../failure.ts';
import type { FormPage, PageForm } from './html-forms.ts';
import { type LandingPage, obstacleFailure } from './login-obstacle.ts';
import { stepFailed } from './login-steps.ts';
import { type OAuthRefusal, platformSays } from './oauth-error.ts';

/** What step 4 sends, and where. */
export type CodeForm = {
  readonly action: string;
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
};

/**
 * The form of a page that holds "hidden fields code, state and iss", with its action resolved against the page and judged by its origin.
 * @throws Failure 'unauthenticated' for a page that refuses or asks for more, 'unavailable' for a form that must not be submitted
 */
export function findCodeForm(page: FormPage, landing: LandingPage): CodeForm {
  const form = chooseForm(page, landing);
  const code = single(form, 'code', landing);
  const state = single(form, 'state', landing);
  const iss = form.fields.has('iss') ? single(form, 'iss', landing) : '';
  if (code === '') throw unusable('the field code of its form is empty', landing);
  // "POST {form_action}": if the page gives no method, the interface's applies.
  if (form.method !== undefined && form.method !== 'POST')
    throw unusable(`its form asks for ${form.method || 'no method'} and not for POST`, landing);
  return { action: resolveAction(page, form, landing), code, state, ...(iss !== '' && { iss }) };
}

/** Whether a page has a form with a code. */
export function holdsCode(page: FormPage): boolean {
  return completeForms(page).length > 0;
}

function completeForms({ forms }: FormPage): readonly PageForm[] {
  return forms.filter(({ fields }) => fields.has('code') && fields.has('state'));
}

function chooseForm(page: FormPage, landing: LandingPage): PageForm {
  const complete = completeForms(page);
  const [form, ...others] = complete;
  if (form && others.every((each) => isSame(each, form))) return form;
  if (form) throw unusable(`the page holds ${complete.length} forms with code and state`, landing);
  throw refusedByForm(page, landing) ?? obstacleFailure(page, landing) ?? incomplete(page, landing);
}

function isSame(one: PageForm, other: PageForm): boolean {
  const text = ({ action, method, fields }: PageForm) => JSON.stringify([action, method, [...fields]]);
  return text(one) === text(other);
}

function single({ fields }: PageForm, name: string, landing: LandingPage): string {
  const [value = '', ...others] = new Set(fields.get(name));
  if (others.length > 0) throw unusable(`its form holds the field ${name} more than once`, landing);
  return value;
}

// OpenID's form_post sends errors in the same form: error, error_description.
function refusedByForm({ forms }: FormPage, landing: LandingPage): Failure | undefined {
  const form = forms.find(({ fields }) => fields.get('error')?.[0]);
  const code = form?.fields.get('error')?.[0]?.slice(0, 80);
  if (!form || !code) return undefined;
  const words = form.fields.get('error_description')?.[0]?.slice(0, 300);
  return loginRefusal({ code, ...(words && { words }) }, landing.facts);
}

/** The failure for an error that the platform sends instead of a code. */
export function loginRefusal(refusal: OAuthRefusal, facts: LandingPage['facts']): Failure {
  const hint = 'Log in with a browser to see what the account may do there';
  return stepFailed(3, 'unauthenticated', `the platform ends the login${platformSays(refusal)}`, hint, facts);
}

function incomplete({ forms, title }: FormPage, landing: LandingPage): Failure {
  const half = forms.find(({ fields }) => fields.has('code') || fields.has('state'));
  if (half) return unusable(`its form has no field ${half.fields.has('code') ? 'state' : 'code'}`, landing);
  const named = title === '' ? 'the page' : `the page "${title}"`;
  return unusable(`${named} has no form with the fields code and state`, landing);
}

// Ignore a <base> with another origin: relative URLs then stay relative to the page.
function resolveAction(page: FormPage, { action }: PageForm, landing: LandingPage): string {
  const { origin } = new URL(landing.url);
  const declared =
    page.base !== undefined && URL.canParse(page.base, landing.url) ? new URL(page.base, landing.url) : undefined;
  const from = declared?.origin === origin && action !== '' ? declared.href : landing.url;
  if (!URL.canParse(action, from)) throw unusable('the target URL of its form is not valid', landing);
  const resolved = new URL(action, from);
  if (resolved.origin !== origin) {
    const target = resolved.origin === 'null' ? `a ${resolved.protocol} address` : resolved.origin;
    throw unusable(`its form would send the code to ${target}, and not to ${origin}`, landing);
  }
  if (resolved.username !== '' || resolved.password !== '')
    throw unusable('the target URL of its form contains a user name', landing);
  resolved.hash = '';
  return resolved.href;
}

function unusable(reason: string, { facts }: LandingPage): Failure {
  const hint = 'Try to log in with a browser. If that works, the platform has changed and iiot needs an update';
  return stepFailed(3, 'unavailable', reason, hint, facts);
}

/**
 * Checks the form's `iss`: it must not be of another origin than the platform, nor begin like an address without being one, and be exactly the
 * issuer recorded for the profile (RFC 9207, 2.4: simple string comparison). The first time, one that is missing or is a name is trusted with a note.
 * @throws Failure 'unavailable', naming step 3
 */
export function checkIssuer(
  iss: string | undefined,
  origin: string,
  knownIssuer: string | undefined,
  note: (line: string) => void,
): void {
  const reason = whatIsWrong(iss, origin, knownIssuer);
  if (reason === undefined) {
    const named = iss === undefined ? 'names no issuer (iss)' : 'names an issuer (iss) that is not an address';
    if (knownIssuer === undefined && originOf(iss) === undefined)
      note(`The form of step 3 ${named}; it is trusted because it comes from this platform.`);
    return;
  }
  const hint = 'Ask the operator of the platform. If its issuer has changed on purpose: iiot logout, then iiot login';
  throw stepFailed(3, 'unavailable', reason, hint);
}

function whatIsWrong(iss: string | undefined, origin: string, known: string | undefined): string | undefined {
  if (iss === undefined) return known === undefined ? undefined : 'its form has no field iss';
  if (looksLikeAddress.test(iss) && !isAddress(iss)) return 'the issuer (iss) in its form is not a valid address';
  const from = originOf(iss);
  if (from !== undefined && from !== origin) return `the issuer (iss) in its form is of ${from}, and not of ${origin}`;
  if (known !== undefined && iss !== known)
    return 'the issuer (iss) in its form is not the one recorded for this profile';
  return undefined;
}

/** How an address begins, or what a careless reader takes for one: `https:x`, `https//x`, `//x`, `ftp://x`. */
const looksLikeAddress = /^\s*(https?[:/\\]|[a-z][\w+.-]*:[/\\]|[/\\]{2})/i;

/** As it is written: a URL parser also reads `https:/x` and `https:x` as `https://x`. */
function isAddress(iss: string): boolean {
  return /^https?:\/\/[^\s/\\][^\s\\]*$/i.test(iss) && URL.canParse(iss);
}

/** A name such as `platform` or `urn:platform` has none. */
function originOf(iss: string | undefined): string | undefined {
  if (iss === undefined || !URL.canParse(iss)) return undefined;
  const { origin } = new URL(iss);
  return origin === 'null' ? undefined : origin;
}
