import { stepFailed } from './login-steps.ts';

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
