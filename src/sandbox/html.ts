import { escapeHtml, htmlPage } from '../text/html.ts';
import type { RouteResponse } from './handler.ts';

/** A page of the sandbox. @param nonce allows its inline script */
export function page(title: string, body: string, status = 200, nonce?: string): RouteResponse {
  const scripts = nonce ? ` script-src 'nonce-${nonce}'; connect-src 'self';` : '';
  const headers = {
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:;${scripts} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { status, text: { type: 'text/html; charset=utf-8', content: htmlPage(title, style, body) }, headers };
}

/** A row of a list, with an ID or a command whose words never break. @param about HTML */
export function row(id: string, about: string): string {
  const words = id.split(' ').map((word) => `<span>${escapeHtml(word)}</span>`);
  return `<div><dt><code>${words.join(' ')}</code></dt><dd>${about}</dd></div>`;
}

// Breaking anywhere would also break times and headings, so it is limited to IDs and paths, which have no spaces.
const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; background: Canvas; color: CanvasText; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .5rem }
h1 { margin-top: 0 }
h3 { font-size: 1rem; margin-top: 1rem }
a { display: inline-block; padding: .25rem 0 }
/* What is copied is not smaller than what explains it. */
code { font-family: ui-monospace, monospace; font-size: 1rem; overflow-wrap: anywhere; unicode-bidi: isolate; white-space: pre-wrap }
code span { display: inline-block; max-width: 100% }
time { white-space: nowrap }
dl { margin: 0 }
dl > div { border-bottom: 1px solid var(--line); padding: .375rem 0 }
dd { margin: 0 }
p button { margin: 0 .5rem 0 0 }
table { border-collapse: collapse; width: 100% }
caption { text-align: start; opacity: .8; padding: .5rem 0 }
th, td { text-align: start; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th, td:first-child { white-space: nowrap }
td:nth-child(2) { overflow-wrap: anywhere }
section dd code { display: inline-block; max-width: 100%; margin-inline-end: .75rem }
tbody { font-variant-numeric: tabular-nums }
label { display: block; margin-top: 1rem }
input { font: inherit; padding: .5rem; width: 100%; max-width: 24rem; box-sizing: border-box }
button { font: inherit; padding: .5rem 1rem; margin-top: 1rem }
form button { display: block }
button[aria-pressed=true] { background: CanvasText; color: Canvas }
:focus-visible { outline: 3px solid LinkText; outline-offset: 2px }
section { break-inside: avoid; padding-bottom: 1rem }
@media (min-width: 48rem) {
  dl > div { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem }
}
@media (min-width: 60rem) { section dl > div { grid-template-columns: 2fr 3fr } }
@media (max-width: 24rem) { code, dd, td { font-size: clamp(.8125rem, 4vw, 1rem) } }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%) }
  tbody tr { display: grid; grid-template-columns: auto 1fr; padding: .25rem 0; border-bottom: 1px solid var(--line) }
  tbody td { border: 0; padding-block: 0 }
  tbody td:nth-child(2) { grid-row: 2; grid-column: 1 / -1 }
}
`;
