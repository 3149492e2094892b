import { Failure } from '../failure.ts';
import { inAnotherWay, obstacleIn } from './login-obstacle.ts';
import { type StepResult, stepFailed } from './login-steps.ts';
import { platformSays, readRefusal } from './oauth-error.ts';

/** Words that speak of the account and its password, whatever else they mention: "… after five attempts the account is locked". */
const wrongPassword =
  /\b(invalid|wrong|incorrect|bad|unknown) (e ?mail|account|user|login|password|pass word|credential)|(password|credentials?) (is |are |was )?(invalid|wrong|incorrect|not (valid|correct|right))/;

/** The failure ('unauthenticated') for a response of step 2 without the session cookie: what the platform asks for, what it says, or that it says nothing. */
export function refusedPassword({ response, url, facts }: StepResult, account: string): Failure {
  const { status, text, masked } = response;
  const refusal = readRefusal(masked.text);
  const said = wordsOf(`${masked.text.replaceAll(account, ' ')} ${pathOf(masked.header('location'), url)}`);
  const asks = wrongPassword.test(said) ? undefined : obstacleIn(said);
  if (asks !== undefined)
    return stepFailed(2, 'unauthenticated', `the platform ${asks}${platformSays(refusal)}`, inAnotherWay, facts);
  const why = refusal.words ?? refusal.code;
  // Some words cannot be shown; a response with such words is not silent.
  const isSilent = why === undefined && (text === '' || masked.text !== '');
  const sentence = isSilent
    ? `The platform set no session for ${account} and gave no reason (${status}): ${possible}.`
    : `The platform refuses the login of ${account} (${status})${why === undefined ? '' : `: ${why}`}`;
  return new Failure('unauthenticated', /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, {
    ...facts,
    hint: isSilent ? inBrowser : checkPassword,
    // A status of 401 is about the password; any other may as well be about what comes after it.
    ...((!isSilent || status === 401) && { passwordRefused: true }),
  });
}

const possible = 'the account or its password may be wrong, or it may need a second factor, a new password or consent';
const inBrowser =
  'Log in with the same account in a browser, which shows what is missing, then run iiot login again. For scripts use: iiot login m2m';
const checkPassword =
  'Check the account and the password, then run iiot login again. Too many wrong passwords may lock the account';

const nothing = /"[^"\\]*"\s*:\s*(?:false|null|0|""|"(?:false|none|no)"|\[\s*\]|\{\s*\})(?=[\s,}\]])/gi;

/** The names and values of a response as words, without those that say no: "isLockedOut":false. */
function wordsOf(answer: string): string {
  // Once more for what they stood in: "twoFactor":{"enabled":false}.
  const told = answer.replace(nothing, '').replace(nothing, '');
  return told
    .replace(/([a-z])(?=[A-Z\d])|([A-Z])(?=[A-Z][a-z])/g, '$& ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();
}

function pathOf(location: string | null, from: string): string {
  return location !== null && URL.canParse(location, from) ? new URL(location, from).pathname : '';
}
