import { escapeHtml } from '../text/html.ts';
import { changesTable, dataLists, requestsTable } from './data-page.ts';
import type { FaultRule } from './faults.ts';
import type { EmbeddedPlatform } from './handler.ts';
import { page, pageHeaders, row } from './html.ts';
import type { RouteResponse } from './route-response.ts';
import { type ThingToTry, thingsToTry } from './world/things-to-try.ts';

/** The page at the sandbox's address: who can log in, what to try first, and, kept up to date, the changes, the data and the requests. */
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
<dl>${firstSteps.map(({ id, about }) => row(id, escapeHtml(about))).join('\n')}</dl>
<p><a href="/openapi.json">The interface as OpenAPI</a></p>
${faultList(faults)}
<h2>Changes</h2>
<p><button type="button" id="pause" aria-pressed="false">Pause</button> This page follows the sandbox until you pause it.</p>
<div class="live">${changesTable(platform)}</div>
<h2>Data</h2>
<p>Of each kind what was changed, and the first ones. <code>iiot sandbox export</code> prints all.</p>
${dataLists(platform)}
<h2>Requests</h2>
<div class="live">${requestsTable(platform)}</div>
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

// Replaces only what is new, so that a selection stays. Can be paused, as WCAG 2.2.2 requires of pages that update themselves.
const script = `
const pause = document.getElementById('pause');
let paused = false;
pause.addEventListener('click', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', String(paused));
});
async function look() {
  if (paused) return;
  const page = await (await fetch('/')).text();
  const fresh = new DOMParser().parseFromString(page, 'text/html').querySelectorAll('.live');
  document.querySelectorAll('.live').forEach((part, at) => {
    if (!paused && part.innerHTML !== fresh[at].innerHTML) part.replaceChildren(...fresh[at].childNodes);
  });
}
setInterval(() => look().catch(() => {}), 2000);
`;
