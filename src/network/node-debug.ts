import { usage } from '../failure.ts';

/**
 * Refuses a NODE_DEBUG that makes Node print the headers of requests, which include the token.
 * @throws usage
 */
export function refuseLeakyDebug(value: string | undefined): void {
  if (!value || !namesHttp(value)) return;
  throw usage(
    'NODE_DEBUG is set so that Node prints headers, and the access token with them.',
    'Unset NODE_DEBUG; --debug shows requests and responses with secrets masked',
  );
}

/** Parses NODE_DEBUG as Node does: names separated by commas, in any case, with * for any characters. */
function namesHttp(value: string): boolean {
  const escaped = value.replace(/[|\\{}()[\]^$+?.]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll(',', '$|^')}$`, 'i').test('HTTP');
}
