/** Why a bearer token was refused: a sentence without its full stop, and the scopes that it lacks. */
type BearerRefusal = { readonly reason: string; readonly scopes: readonly string[] };

const longest = 1000;
const mostScopes = 10;

// A parameter, a scheme or its token, a text without a name: commas between them say nothing that these do not.
const parts =
  /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))|[\w!#$%&'*+.^`|~/=-]+|"(?:[^"\\]|\\.)*"?/g;

/**
 * Reads `error`, `error_description` and `scope` (RFC 6750, 3) from WWW-Authenticate, which may hold several challenges (RFC 9110, 11.6.1).
 * ASP.NET says there, and nowhere else, why it answers 401 or 403.
 */
export function readBearerRefusal(header: string): BearerRefusal | undefined {
  const { error, error_description: words, scope } = bearerParameters(header);
  const code = error && oneLine(error);
  const description = words && oneLine(words).replace(/\.$/, '');
  const sentence = description || code;
  if (!sentence) return undefined;
  const scopes =
    code === 'insufficient_scope'
      ? oneLine(scope ?? '')
          .split(' ')
          .filter(Boolean)
          .slice(0, mostScopes)
      : [];
  const more = [
    ...(code && sentence !== code ? [code] : []),
    ...(scopes.length > 0 ? [`scope ${scopes.join(' ')}`] : []),
  ];
  return { reason: `${sentence}${more.length > 0 ? ` (${more.join(', ')})` : ''}`.slice(0, longest), scopes };
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim();
}

/** Those of the first challenge for a bearer token that gives a reason. */
function bearerParameters(header: string): Readonly<Record<string, string>> {
  let isBearer = false;
  let found: Record<string, string> = {};
  for (const [word, name, quoted, plain] of header.matchAll(parts)) {
    if (name !== undefined) {
      if (isBearer) found[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      continue;
    }
    if (found.error || found.error_description) break;
    isBearer = /^(bearer|dpop)$/i.test(word);
    found = {};
  }
  return found;
}
