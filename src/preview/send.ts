import type { ServerResponse } from 'node:http';

export function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 'application/json', JSON.stringify(value), ["default-src 'none'"]);
}

/** The browser must not cache the response, guess its type, or give it to another page. */
export function send(response: ServerResponse, type: string, text: string, policy: readonly string[]): void {
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(text);
}

export function refuse(response: ServerResponse, status: number): void {
  if (!response.headersSent)
    response.writeHead(status, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' });
  response.end();
}
