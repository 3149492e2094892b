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
  const { error = '', error_description: words = '', scope = '' } = bearerParameters(header);
  const said = words.replace(/\.$/, '') || error;
  if (said === '') return undefined;
  const scopes = error === 'insufficient_scope' ? scope.split(' ').filter(Boolean).slice(0, mostScopes) : [];
  const code = said === error ? [] : [error];
  const more = [...code, ...(scopes.length > 0 ? [`scope ${scopes.join(' ')}`] : [])].filter(Boolean).join(', ');
  return { reason: `${said}${more && ` (${more})`}`.slice(0, longest), scopes };
}

/** Those of the first challenge for a bearer token that gives a reason. */
function bearerParameters(header: string): Readonly<Record<string, string>> {
  let isBearer = false;
  let found: Record<string, string> = {};
  for (const [word, name, quoted, plain] of header.matchAll(parts)) {
    if (name === undefined) {
      if (found.error || found.error_description) break;
      isBearer = /^(bearer|dpop)$/i.test(word);
      found = {};
    } else if (isBearer) {
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      found[name.toLowerCase()] ??= value.replace(/\s+/g, ' ').trim();
    }
  }
  return found;
}
