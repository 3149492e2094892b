import { escapeHtml } from '../text/escape-html.ts';
import { groupDigits } from '../text/group-digits.ts';
import type { FaultRule } from './faults.ts';
import type { EmbeddedPlatform } from './handler.ts';
import { page, pageHeaders } from './html.ts';
import type { RouteResponse } from './route-response.ts';
import { type ThingToTry, thingsToTry } from './world/things-to-try.ts';

/** The page at the sandbox's address: who can log in, what to try first, an ID of each kind, and the latest requests, live. */
export function homePage(platform: EmbeddedPlatform, faults: readonly FaultRule[], origin: string): RouteResponse {
  const nonce = platform.secrets.text();
  const returnUrl = `${origin}/${thingsToTry.tenant}/${thingsToTry.app}`;
  const loginUrl = `/${thingsToTry.tenant}/portal/external-login?${new URLSearchParams({ returnUrl })}`;
  const now = new Date(platform.clock.now()).toISOString();
  const body = `<main>
<h1>Sandbox</h1>
<p>An embedded platform at <code>${escapeHtml(origin)}</code>, tenant <code>${thingsToTry.tenant}</code>, application <code>${thingsToTry.app}</code>.
Its time is <time datetime="${now}">${now.slice(0, 10)} ${now.slice(11, 16)} UTC</time>.</p>
<h2>Accounts</h2>
${accounts()}
<p><a href="${escapeHtml(loginUrl)}">Log in as a person</a></p>
<h2>First things to try</h2>
${list(firstSteps)}
<p><a href="/openapi.json">The interface as OpenAPI</a></p>
${faultList(faults)}
<h2>IDs</h2>
<div class="kinds">
${kind('Organizations', thingsToTry.organizations)}
${kind('Devices', thingsToTry.devices)}
${kind('Alert policies', thingsToTry.policies)}
${kind('Templates', thingsToTry.templates)}
${kind('Channels', thingsToTry.channels)}
</div>
<p>${counts(platform)}</p>
<h2>Requests</h2>
<p class="bar"><button type="button" id="pause" aria-pressed="false">Pause</button> <span id="count" role="status"></span></p>
<table>
<caption>Newest first</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Outcome</th></tr></thead>
<tbody id="requests"></tbody>
</table>
</main>
<script nonce="${nonce}">${script}</script>`;
  return {
    status: 200,
    text: { type: 'text/html; charset=utf-8', content: page('Sandbox', body) },
    headers: pageHeaders(nonce),
  };
}

/** For use with the profile that the sandbox sets up. */
const firstSteps: readonly ThingToTry[] = [
  { id: 'iiot orgs users list --profile sandbox', about: 'Users of the organization' },
  {
    id: `iiot devices custom-info set ${thingsToTry.devices[0].id} line=3 --profile sandbox`,
    about: 'Change a device; with --dry-run nothing is sent',
  },
  {
    id: `iiot templates update ${thingsToTry.templates[0].id} --subject "Line 3 is hot" --profile sandbox`,
    about: 'Change a notification template',
  },
  { id: 'iiot profiles use sandbox', about: 'Leave out --profile from now on' },
];

function faultList(faults: readonly FaultRule[]): string {
  if (faults.length === 0) return '';
  const rules = faults.map(({ text }) => `<li><code>${escapeHtml(text)}</code></li>`);
  return `<h2>Faults</h2>\n<ul>${rules.join('')}</ul>`;
}

function accounts(): string {
  const { client } = thingsToTry;
  const all = [
    ...thingsToTry.accounts.map(({ account, password, about }) => ({
      id: account,
      what: 'password',
      secret: password,
      about,
    })),
    {
      id: client.clientId,
      what: 'client secret',
      secret: client.clientSecret,
      about: `machine, client credential ${client.clientCredentialId}`,
    },
  ];
  const rows = all.map(({ id, what, secret, about }) =>
    row(id, `${what} <code>${escapeHtml(secret)}</code><br>${escapeHtml(about)}`),
  );
  return `<dl>${rows.join('\n')}</dl>`;
}

function counts({ world }: EmbeddedPlatform): string {
  const { tenant: _, accounts: _accounts, ...collections } = world;
  const all = Object.entries(collections).map(([name, { size }]) => `${name} ${groupDigits(size)}`);
  return `In all: ${all.join(', ')}`;
}

function kind(title: string, things: readonly ThingToTry[]): string {
  return `<section><h3>${title}</h3>${list(things)}</section>`;
}

function list(things: readonly ThingToTry[]): string {
  return `<dl>${things.map(({ id, about }) => row(id, escapeHtml(about))).join('\n')}</dl>`;
}

/** Words, IDs and options never wrap, and are copied exactly. @param about HTML */
function row(id: string, about: string): string {
  const words = id.split(' ').map((word) => `<span>${escapeHtml(word)}</span>`);
  return `<div><dt><code>${words.join(' ')}</code></dt><dd>${about}</dd></div>`;
}

// Polls every two seconds, and inserts results only as text. Can be paused, as WCAG 2.2.2 requires of pages that update themselves.
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
