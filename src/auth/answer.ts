/** Reading what an identity platform answers: token answers and refusals come in OAuth's spelling, in camel case, and in ABP's wrapper. */

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The JSON object that a text is, or undefined. Never throws: the parser's own message would quote the text. */
export function readRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field by its name in small letters without underscores: `accesstoken` finds accessToken, access_token and AccessToken. */
export function fieldOf(record: JsonRecord, name: string): unknown {
  const key = Object.keys(record).find((each) => plain(each) === name);
  return key === undefined ? undefined : record[key];
}

/** A text that is more than blanks, or undefined. */
export function textOf(record: JsonRecord, name: string): string | undefined {
  const value = fieldOf(record, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Why the platform refused: a code such as invalid_grant, and its own words. */
export type Refusal = { readonly code?: string; readonly words?: string };

const longestWords = 300;

/**
 * Reads a refusal in OAuth's form (RFC 6749, 5.2), ABP's, problem details (RFC 9457) or plain text. Words that repeat one of `secrets`,
 * in whatever spelling, are dropped: a platform may echo what it was sent.
 */
export function readRefusal(text: string, secrets: readonly string[] = []): Refusal {
  const record = readRecord(text);
  const { code, words } = record ? refusalOf(record) : { code: undefined, words: plainText(text) };
  const told = words?.replace(/\s+/g, ' ').trim().slice(0, longestWords);
  return {
    ...(code !== undefined && /^[\w.:-]{1,80}$/.test(code) && !repeats(code, secrets) && { code }),
    ...(told && !repeats(words ?? '', secrets) && { words: told }),
  };
}

function refusalOf(record: JsonRecord): { code: string | undefined; words: string | undefined } {
  const error = fieldOf(record, 'error');
  const inner = isRecord(error) ? error : record;
  const words = ['errordescription', 'message', 'detail', 'description', 'details', 'title'];
  return {
    code: typeof error === 'string' ? error : textOf(inner, 'code'),
    words: words.map((name) => textOf(inner, name)).find((each) => each !== undefined),
  };
}

function plainText(text: string): string | undefined {
  return text.length > longestWords || /^\s*[<{[]/.test(text) ? undefined : text;
}

function repeats(words: string, secrets: readonly string[]): boolean {
  const spellings = [words, decoded(words)].flatMap((each) => [
    each,
    each.replaceAll('+', ' '),
    each.replaceAll('\\', ''),
  ]);
  return secrets.some(
    (secret) => secret.length > 2 && formsOf(secret).some((form) => spellings.some((each) => each.includes(form))),
  );
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    secret.replaceAll('\\', ''),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The platform's words as the end of a sentence without its full stop: ", and says: Account locked", or nothing. */
export function platformSays({ code, words }: Refusal): string {
  const told = words ?? code;
  return told === undefined ? '' : `, and says: ${told.replace(/[.\s]+$/, '')}`;
}
