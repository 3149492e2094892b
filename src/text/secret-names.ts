/** Names of secrets, in any case, with or without "_" between their words. */
const credentials = [
  'password',
  'client_?secret',
  'access_?token',
  'refresh_?token',
  'id_?token',
  'channel_?access_?token',
] as const;

/** Names that carry a secret in requests and responses of a login. Elsewhere some are ordinary: the state of a device, the code of an error. */
const ofLogins = ['secret', 'code', 'state', 'assertion', 'authorization', 'cookie'] as const;

/** All names, for patterns over the text of a message. */
export const secretNamesInMessages = [...credentials, ...ofLogins].join('|');

const name = new RegExp(`^(?:${credentials.join('|')})$`, 'i');

/** What names of keys end with wherever something logs in elsewhere: the password of a mail server, the Authorization header of a webhook. */
const endings = /(?:pass(?:word|phrase|wd)|secret|token|(?:api|access|private|shared)[_-]?key|authorization|cookie)$/i;

/** Whether a text under this name may be a secret of something that the platform uses, such as a channel. */
export function soundsSecret(text: string): boolean {
  return endings.test(text);
}

/** Whether a member with this name is a secret, in any object. */
export function isSecretName(text: string): boolean {
  return name.test(text);
}
