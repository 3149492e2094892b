/** Whether a URL's host, in lower case, is this machine: localhost and its subdomains (RFC 6761), 127.0.0.0/8 and ::1. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether anybody on the way can read what is sent to a URL: plain http that leaves this machine. */
export function isOpenToAll(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url);
}

/** The warning before a secret is sent to such a URL. */
export function notEncrypted({ origin }: URL, secret: string): string {
  return `The connection to ${origin} is not encrypted: anyone on the network can read the ${secret}.`;
}
