/** Why a bearer token was refused: a sentence without its full stop, and the scopes that it lacks. */
type BearerRefusal = { readonly reason: string; readonly scopes: readonly string[] };

const longestReason = 1000;
const mostScopes = 10;

/**
 * Matches one piece of a challenge: a parameter (name=value), a scheme or its token, or a quoted text without a name. Commas are skipped: a piece that
 * is not a parameter already shows where a challenge begins.
 */
const challengePieces =
  /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))|[\w!#$%&'*+.^`|~/=-]+|"(?:[^"\\]|\\.)*"?/g;

/** Reads `error`, `error_description` and `scope` (RFC 6750, 3) from one or more challenges: only there does ASP.NET say why it answers 401 or 403. */
export function readBearerRefusal(header: string): BearerRefusal | undefined {
  const { error = '', error_description: words = '', scope = '' } = bearerParameters(header);
  const reason = words.replace(/\.$/, '') || error;
  if (reason === '') return undefined;
  const scopes = error === 'insufficient_scope' ? scope.split(' ').filter(Boolean).slice(0, mostScopes) : [];
  const code = reason === error ? [] : [error];
  const added = [...code, ...(scopes.length > 0 ? [`scope ${scopes.join(' ')}`] : [])].filter(Boolean).join(', ');
  return { reason: `${reason}${added && ` (${added})`}`.slice(0, longestReason), scopes };
}

/** The parameters of the first challenge for a bearer token that gives a reason. */
function bearerParameters(header: string): Readonly<Record<string, string>> {
  let isBearer = false;
  let found: Record<string, string> = {};
  for (const [word, name, quoted, plain] of header.matchAll(challengePieces)) {
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
