/** Whether a URL's host, which is in small letters, is this machine: localhost and its subdomains (RFC 6761), 127.0.0.0/8 and ::1. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether everybody on the way can read what is sent to a URL: plain http that leaves this machine. */
export function isOpenToAll(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url);
}

/** What a person has to know before a secret goes to such a URL. */
export function notEncrypted({ origin }: URL, secret: string): string {
  return `The connection to ${origin} is not encrypted: anyone on the network can read the ${secret}.`;
}
