/** Text for a place inside HTML, quoted attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole page without external resources. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Headers of every page; `script` is what its inline script may be allowed by: a nonce. */
export function pageHeaders(nonce?: string): Record<string, string> {
  const scripts = nonce ? ` script-src 'nonce-${nonce}'; connect-src 'self';` : '';
  return {
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline';${scripts} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: start; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); vertical-align: top; overflow-wrap: anywhere }
code { font-family: ui-monospace, monospace }
label { display: block; margin-top: 1rem }
input { font: inherit; padding: .5rem; width: 100%; max-width: 24rem; box-sizing: border-box }
button { font: inherit; padding: .5rem 1rem; margin-top: 1rem }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`;
