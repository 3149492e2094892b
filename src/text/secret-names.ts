/** What names that carry a secret end with, in any case: here, and wherever something logs in elsewhere, such as the password of a mail server. */
const endings =
  '(?:pass(?:word|phrase|code|wd)|pwd|secret|token|(?:api|access|private|shared)[_-]?key|authorization|cookie)';

/** Whole names that carry one in a login. Elsewhere they are ordinary: the state of a device, the code of an error. */
const ofLogins = '(?:code|state|(?:client_)?assertion)';

const ending = new RegExp(`${endings}$`, 'i');
const whole = new RegExp(`^${ofLogins}$`, 'i');

/** Whether a member, a field or a header with this name may be a secret. */
export function soundsSecret(name: string): boolean {
  return ending.test(name);
}

/** The same in the form or the query of a login. */
export function soundsSecretInLogin(name: string): boolean {
  return ending.test(name) || whole.test(name);
}

/** An expression for such a name in a text. @param before for the characters of a name */
export function secretNamesIn(of: 'login' | 'other', before: string): string {
  return `(?:${before}*?${endings}${of === 'login' ? `|${ofLogins}` : ''})`;
}
