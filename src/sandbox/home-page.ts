import type { FaultRule } from './faults.ts';
import type { EmbeddedPlatform } from './handler.ts';
import { escapeHtml, page, pageHeaders } from './html.ts';
import type { ServedReply } from './reply.ts';
import { type Thing, thingsToTry } from './world/things-to-try.ts';

/** The page at the sandbox's address: what is in the world, how to log in, and the last requests while they come. */
export function homePage(platform: EmbeddedPlatform, faults: readonly FaultRule[], origin: string): ServedReply {
  const nonce = platform.secrets.text();
  const returnUrl = `${origin}/${thingsToTry.tenant}/${thingsToTry.app}`;
  const signIn = `/${thingsToTry.tenant}/portal/external-login?${new URLSearchParams({ returnUrl })}`;
  const body = `<main>
<h1>Sandbox</h1>
<p>The embedded platform at <code>${escapeHtml(origin)}</code>, tenant <code>${thingsToTry.tenant}</code>, application <code>${thingsToTry.app}</code>.
Its time is <time>${new Date(platform.clock.now()).toISOString()}</time>.
<a href="${escapeHtml(signIn)}">Log in as a person</a> or read <a href="/openapi.json">its interface as OpenAPI</a>.</p>
${faultList(faults)}
<h2>Last requests</h2>
<p><button type="button" id="pause" aria-pressed="false">Pause</button> <span id="count" role="status"></span></p>
<table>
<caption>Newest first</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Outcome</th></tr></thead>
<tbody id="requests"></tbody>
</table>
<h2>To log in with</h2>
${accounts()}
<h2>In the world</h2>
${counts(platform)}
${things('Organizations', thingsToTry.organizations)}
${things('Devices', thingsToTry.devices)}
${things('Alert policies', thingsToTry.policies)}
${things('Templates', thingsToTry.templates)}
${things('Channels', thingsToTry.channels)}
</main>
<script nonce="${nonce}">${script}</script>`;
  return {
    status: 200,
    text: { type: 'text/html; charset=utf-8', content: page('Sandbox', body) },
    headers: pageHeaders(nonce),
  };
}

function faultList(faults: readonly FaultRule[]): string {
  if (faults.length === 0) return '';
  const rules = faults.map(({ text }) => `<li><code>${escapeHtml(text)}</code></li>`);
  return `<h2>Faults</h2>\n<ul>${rules.join('')}</ul>`;
}

function accounts(): string {
  const { client } = thingsToTry;
  const rows = [
    ...thingsToTry.accounts.map(({ account, password, about }) => [account, password, about]),
    [client.clientId, client.clientSecret, `client credential ${client.clientCredentialId}`],
  ];
  return table(['Account or client id', 'Password or secret', 'What it is'], rows);
}

function counts({ world }: EmbeddedPlatform): string {
  const { tenant: _, accounts: _accounts, ...collections } = world;
  return table(
    ['What', 'How many'],
    Object.entries(collections).map(([name, { size }]) => [name, String(size)]),
  );
}

function things(title: string, list: readonly Thing[]): string {
  return `<h3>${title}</h3>\n${table(
    ['Id', 'What it is'],
    list.map(({ id, about }) => [id, about]),
  )}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map(([first = '', ...others]) => {
    const cells = others.map((text) => `<td>${escapeHtml(text)}</td>`).join('');
    return `<tr><td><code>${escapeHtml(first)}</code></td>${cells}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

// Asks every two seconds, and writes what comes as text alone. Paused at will: a page that changes by itself has to be (WCAG 2.2.2).
const script = `
let last = 0, paused = false;
const pause = document.getElementById('pause');
pause.addEventListener('click', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', String(paused));
});
const cell = (text, name = 'td') => Object.assign(document.createElement(name), { textContent: text });

async function look() {
  if (paused) return;
  const answer = await fetch('/sandbox/requests?after=' + last);
  const { count, items } = await answer.json();
  const rows = document.getElementById('requests');
  for (const item of items) {
    const row = document.createElement('tr');
    const outcome = item.fault ? item.outcome + ' (' + item.fault + ')' : String(item.outcome);
    row.append(cell(item.at.slice(11, 19)), cell(item.method + ' ' + item.path), cell(outcome));
    rows.prepend(row);
    last = item.number;
  }
  while (rows.rows.length > 50) rows.deleteRow(-1);
  document.getElementById('count').textContent = count === 1 ? '1 request' : count + ' requests';
}
look();
setInterval(() => look().catch(() => {}), 2000);
`;
