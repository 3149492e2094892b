/** Whether a URL's host is this machine: localhost and its subdomains (RFC 6761), 127.0.0.0/8 and ::1. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
