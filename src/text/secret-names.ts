/** Names under which secrets travel, in whatever case; a "_" may stand between their words. */
const credentials = [
  'password',
  'client_?secret',
  'access_?token',
  'refresh_?token',
  'id_?token',
  'channel_?access_?token',
] as const;

/** Names that carry a secret in a request or an answer of a login. Elsewhere some are ordinary words: the state of a device, the code of an error. */
const ofLogins = ['secret', 'code', 'state', 'assertion', 'authorization', 'cookie'] as const;

/** All of them, for patterns over the text of a message. */
export const secretNamesInMessages = [...credentials, ...ofLogins].join('|');

const name = new RegExp(`^(?:${credentials.join('|')})$`, 'i');

/** Whether a member of this name is a secret, whatever object it belongs to. */
export function isSecretName(text: string): boolean {
  return name.test(text);
}
