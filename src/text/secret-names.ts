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

/** Whether a member with this name is a secret, in any object. */
export function isSecretName(text: string): boolean {
  return name.test(text);
}
