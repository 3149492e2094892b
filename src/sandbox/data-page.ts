import { groupDigits } from '../text/group-digits.ts';
import { escapeHtml } from '../text/html.ts';
import { soundsSecret } from '../text/mask.ts';
import { visible } from '../text/visible.ts';
import type { EmbeddedPlatform, State } from './handler.ts';
import { row } from './html.ts';
import { maskedUrl } from './transcript.ts';
import { type ThingToTry, thingsToTry } from './world/things-to-try.ts';

export function changesTable({ changes }: State): string {
  const rows = changes.map(({ at, method, url, body, caller }) => [
    at,
    requestLine(method, maskedUrl(url)) + (body === undefined ? '' : `<br><code>${text(json(body))}</code>`),
    text(caller),
  ]);
  return table(['Time', 'Request', 'Caller'], rows, rows.length === 0 ? 'None yet' : 'Newest first');
}

export function requestsTable({ log }: EmbeddedPlatform): string {
  const latest = log.after(log.count() - 50).toReversed();
  const rows = latest.map(({ at, method, path, outcome, fault }) => [
    at,
    requestLine(method, path),
    text(fault ? `${outcome} (${fault})` : String(outcome)),
  ]);
  return table(['Time', 'Request', 'Outcome'], rows, `${groupDigits(log.count())} in all, newest first`);
}

function requestLine(method: string, url: string): string {
  return `<code>${text(`${method} ${url.replace(/^https?:\/\/[^/]*/, '')}`)}</code>`;
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

/** So many of each kind: what was changed, what can be tried, and the first ones. */
const most = 12;

export function dataLists({ world, changes }: State): string {
  const changed = changes.flatMap(({ ids }) => ids);
  return kinds.map((kind) => dataList(kind, world[kind], changed)).join('\n');
}

function dataList(kind: (typeof kinds)[number], records: ReadonlyMap<string, object>, changed: readonly string[]) {
  const things: readonly ThingToTry[] = kind === 'batches' || kind === 'credentials' ? [] : thingsToTry[kind];
  const keys = records.keys();
  const first = Array.from({ length: Math.min(most, records.size) }, () => keys.next().value ?? '');
  const shown = [...new Set([...changed, ...things.map(({ id }) => id), ...first])].filter((id) => records.has(id));
  const rows = shown.slice(0, most).map((id) => {
    const about = things.find((thing) => thing.id === id)?.about;
    return row(id, (about ? `${escapeHtml(about)}<br>` : '') + fieldsOf(id, records.get(id) ?? {}));
  });
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  return `<section class="live"><h3>${title} (${groupDigits(records.size)})</h3><dl>${rows.join('\n')}</dl></section>`;
}

/** Of a device what it holds, and of an organization how many belong to it. */
function fieldsOf(id: string, record: object): string {
  return Object.entries(record)
    .flatMap(([key, value]: [string, unknown]): (readonly [string, unknown])[] => {
      if (value === id || key === 'orgId' || key === 'secretHash') return [];
      if (!(value instanceof Map)) return [[key, value]];
      return key === 'customInfo' ? [...value].slice(0, 50) : [[key, value.size]];
    })
    .map(([key, value]) => `<code><b>${text(key)}</b>=${text(soundsSecret(key) ? hidden : json(value))}</code>`)
    .join(' ');
}

const hidden = '***';

function json(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (key, inner: unknown) => (soundsSecret(key) ? hidden : inner));
}

/** With what cannot be seen made visible, escaped, and cut where it is long. */
function text(value: string): string {
  return escapeHtml(visible(value.length > longest ? `${value.slice(0, longest)}…` : value));
}

const longest = 500;
