/** What is said of a proxy that wants another login. */

const schemes = ['Basic', 'Digest', 'NTLM', 'Negotiate', 'Kerberos', 'Bearer'] as const;

/** The schemes in the value of Proxy-Authenticate, by their own names: the rest may repeat what the proxy was sent. */
export function proxySchemes(challenge: string): readonly string[] {
  return schemes.filter((scheme) => new RegExp(`(^|,)\\s*${scheme}(?![\\w-]|\\s*=)`, 'i').test(challenge));
}

/** What people forget in an address with a password. */
export const percentEncoding = 'with @ : / # % in the password as %40 %3A %2F %23 %25';

/** @param scheme of the proxy's address */
export function proxyLoginWords(
  offered: readonly string[],
  variable: string,
  scheme = 'http',
): readonly [reason: string, hint: string] {
  if (offered.length > 0 && !offered.includes('Basic')) {
    const hint = `Run a relay on this machine that logs in there, such as cntlm or px, and put its address into ${variable}`;
    return [`it asks for a login with ${offered.join(' or ')}, and iiot knows Basic`, hint];
  }
  const hint = `Put user and password into ${variable}: ${scheme}://USER:PASSWORD@HOST:PORT, ${percentEncoding}`;
  return ['it asks for other credentials', hint];
}
