import { check } from '../contract/check.ts';
import { openapi } from '../contract/openapi.ts';
import { integer, record } from '../contract/shared.ts';
import { groupDigits } from '../text/group-digits.ts';
import { escapeHtml } from '../text/html.ts';
import { hidden, soundsSecret } from '../text/secret-names.ts';
import { visible } from '../text/visible.ts';
import { parseBody, readBytes } from './body.ts';
import type { FaultRule } from './faults.ts';
import { type EmbeddedPlatform, invalid, invalidField, type RouteResponse, type State } from './handler.ts';
import { page, row } from './html.ts';
import { type RoutedRequest, requestOrigin, type SandboxRoute } from './router.ts';
import { mask } from './transcript.ts';
import { serialize } from './world/state.ts';
import { type ThingToTry, thingsToTry } from './world/things-to-try.ts';

/** Pages of the sandbox beside the platform, without faults, latency and logging. */
export function pageRoutes(platform: EmbeddedPlatform, faults: readonly FaultRule[]): SandboxRoute[] {
  return [
    { method: 'GET', path: '/', handle: ({ request }) => homePage(platform, faults, requestOrigin(request)) },
    { method: 'GET', path: '/openapi.json', handle: () => ({ status: 200, body: openapi() }) },
    { method: 'GET', path: '/sandbox/state', handle: () => exportState(platform) },
    { method: 'POST', path: '/sandbox/clock', handle: (incoming) => moveClock(platform, incoming) },
  ];
}

function exportState(platform: EmbeddedPlatform): RouteResponse {
  return { status: 200, text: { type: 'application/json; charset=utf-8', content: serialize(platform) } };
}

// A hundred years in milliseconds, so that all times remain valid dates.
const mostMoved = 100 * 365 * 86_400_000;

const clockBody = record('How far to move the clock', {
  add: integer('Milliseconds, negative to go back', { minimum: -mostMoved, maximum: mostMoved }),
});

/** Moves the clock. Accepts only JSON, for which a page of another origin needs permission (CORS), and gets none. */
async function moveClock({ clock }: EmbeddedPlatform, { request }: RoutedRequest): Promise<RouteResponse> {
  const body = parseBody('application/json', request.headers.get('content-type'), await readBytes(request));
  const { problems } = check(clockBody, body);
  if (problems.length > 0) throw invalid(problems);
  const { add } = body as { add: number }; // checked above
  if (Math.abs(clock.moved() + add) > mostMoved) throw invalidField('add', 'moves the clock too far');
  clock.move(add);
  return {
    status: 200,
    body: { now: new Date(clock.now()).toISOString(), offsetSeconds: Math.round(clock.moved() / 1000) },
  };
}

/** The page at the sandbox's address: accounts, first things to try, and the changes, data and requests, which are kept up to date. */
function homePage(platform: EmbeddedPlatform, faults: readonly FaultRule[], origin: string): RouteResponse {
  const nonce = platform.secrets.text();
  const returnUrl = `${origin}/${thingsToTry.tenant}/${thingsToTry.app}`;
  const loginUrl = `/${thingsToTry.tenant}/portal/external-login?${new URLSearchParams({ returnUrl })}`;
  const now = new Date(platform.clock.now()).toISOString();
  const changed = platform.changes.flatMap(({ ids }) => ids);
  const rules = faults.map(({ text }) => `<li><code>${escapeHtml(text)}</code></li>`).join('');
  const body = `<main>
<h1>Sandbox</h1>
<p>An embedded platform at <code>${escapeHtml(origin)}</code>, tenant <code>${thingsToTry.tenant}</code>, application <code>${thingsToTry.app}</code>.
Its time is <time datetime="${now}">${now.slice(0, 10)} ${now.slice(11, 16)} UTC</time>.</p>
<h2>Accounts</h2>
${accountList()}
<p><a href="${escapeHtml(loginUrl)}">Log in as a person</a></p>
<h2>First things to try</h2>
<dl>${firstSteps.map(({ id, about }) => row(id, escapeHtml(about))).join('\n')}</dl>
<p><a href="/openapi.json">The interface as OpenAPI</a></p>
${rules && `<h2>Faults</h2>\n<ul>${rules}</ul>`}
<h2>Changes</h2>
<p><button type="button" id="pause" aria-pressed="false">Pause</button> This page follows the sandbox until you pause it.</p>
<div class="live">${changesTable(platform)}</div>
<h2>Data</h2>
<p>For each kind, what was changed and the first few. <code>iiot sandbox export</code> prints everything.</p>
${kinds.map((kind) => dataList(kind, platform.world[kind], changed)).join('\n')}
<h2>Requests</h2>
<div class="live">${requestsTable(platform)}</div>
</main>
<script nonce="${nonce}">${script}</script>`;
  return page('Sandbox', body, 200, nonce);
}

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

function accountList(): string {
  const { clientId, clientSecret, clientCredentialId } = thingsToTry.client;
  const line = (id: string, what: string, secret: string, about: string) =>
    row(id, `${what} <code>${escapeHtml(secret)}</code><br>${escapeHtml(about)}`);
  const rows = [
    ...thingsToTry.accounts.map(({ account, password, about }) => line(account, 'password', password, about)),
    line(clientId, 'client secret', clientSecret, `machine, client credential ${clientCredentialId}`),
  ];
  return `<dl>${rows.join('\n')}</dl>`;
}

// Replaces only parts that have changed, so that a selection stays. Can be paused, as WCAG 2.2.2 requires of pages that update themselves.
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

function changesTable({ changes }: State): string {
  const rows = changes.map(({ at, method, url, body, caller }) => [
    at,
    requestLine(method, mask.url(url)) + (body === undefined ? '' : `<br><code>${pageText(json(body))}</code>`),
    pageText(caller),
  ]);
  return table(['Time', 'Request', 'Caller'], rows, rows.length === 0 ? 'None yet' : 'Newest first');
}

function requestsTable({ log }: EmbeddedPlatform): string {
  const rows = log.latest.map(({ at, method, path, outcome, fault }) => [
    at,
    requestLine(method, path),
    pageText(fault ? `${outcome} (${fault})` : String(outcome)),
  ]);
  return table(['Time', 'Request', 'Outcome'], rows, `${groupDigits(log.count)} in all, newest first`);
}

function requestLine(method: string, url: string): string {
  return `<code>${pageText(`${method} ${url.replace(/^https?:\/\/[^/]*/, '')}`)}</code>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], caption: string): string {
  const cells = (row: readonly string[]) => row.map((cell) => `<td>${cell}</td>`).join('');
  const lines = rows.map(([at = '', ...rest]) => `<tr>${cells([at.slice(11, 19), ...rest])}</tr>`);
  const head = heads.map((title) => `<th scope="col">${title}</th>`).join('');
  return `<table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
}

const kinds = [
  'organizations',
  'users',
  'devices',
  'policies',
  'templates',
  'channels',
  'batches',
  'credentials',
] as const;

/** The number of records that are shown of each kind: changed ones, things to try, and the first ones. */
const most = 12;

function dataList(kind: (typeof kinds)[number], records: ReadonlyMap<string, object>, changed: readonly string[]) {
  const things: readonly ThingToTry[] = kind === 'batches' || kind === 'credentials' ? [] : thingsToTry[kind];
  const ids = [...changed, ...things.map(({ id }) => id), ...[...records.keys()].slice(0, most)];
  const shown = [...new Set(ids)].filter((id) => records.has(id));
  const rows = shown.slice(0, most).map((id) => {
    const about = things.find((thing) => thing.id === id)?.about;
    return row(id, (about ? `${escapeHtml(about)}<br>` : '') + recordSummary(id, records.get(id) ?? {}));
  });
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  return `<section class="live"><h3>${title} (${groupDigits(records.size)})</h3><dl>${rows.join('\n')}</dl></section>`;
}

/** The fields of a record: of a device with its custom information, of an organization with the number of its members. */
function recordSummary(id: string, record: object): string {
  return Object.entries(record)
    .flatMap(([key, value]: [string, unknown]): (readonly [string, unknown])[] => {
      if (value === id || key === 'orgId' || key === 'secretHash') return [];
      if (!(value instanceof Map)) return [[key, value]];
      return key === 'customInfo' ? [...value].slice(0, 50) : [[key, value.size]];
    })
    .map(([key, value]) => `<code><b>${pageText(key)}</b>=${pageText(soundsSecret(key) ? hidden : json(value))}</code>`)
    .join(' ');
}

function json(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (key, inner: unknown) => (soundsSecret(key) ? hidden : inner));
}

/** A text for the page, cut if it is long, with invisible characters made visible. */
function pageText(value: string): string {
  return escapeHtml(visible(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value));
}

const longestShown = 500;
