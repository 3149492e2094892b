import { stepFailed } from './sign-in-steps.ts';

/**
 * Checks the form's `iss`: it must have the platform's origin, and be exactly the issuer recorded for the profile (RFC 9207, 2.4: simple
 * string comparison). If it is missing, the login goes on with a note, unless an issuer was recorded.
 * @throws Failure 'unavailable', naming step 3
 */
export function checkIssuer(
  iss: string | undefined,
  origin: string,
  knownIssuer: string | undefined,
  note: (line: string) => void,
): void {
  if (iss === undefined && knownIssuer === undefined) {
    note('The form of step 3 names no issuer (iss); it is trusted because it comes from this platform.');
    return;
  }
  const reason = iss === undefined ? 'its form has no field iss' : whatIsWrong(iss, origin, knownIssuer);
  if (reason === undefined) return;
  const hint = 'Ask the operator of the platform. If its issuer has changed on purpose: iiot logout, then iiot login';
  throw stepFailed(3, 'unavailable', reason, hint);
}

function whatIsWrong(iss: string, origin: string, known: string | undefined): string | undefined {
  const from = URL.canParse(iss) ? new URL(iss).origin : undefined;
  if (from === undefined) return 'the issuer (iss) in its form is not an address';
  if (from !== origin)
    return `the issuer (iss) in its form is of ${from === 'null' ? 'no origin' : from}, and not of ${origin}`;
  if (known !== undefined && iss !== known)
    return 'the issuer (iss) in its form is not the one recorded for this profile';
  return undefined;
}
