import { escapeHtml, htmlPage } from '../text/html.ts';

/** The page of `templates preview --serve`. Its script requests the folder's content and inserts it only as text. */
export function previewPage(dir: string, values: ReadonlyMap<string, string>, nonce: string): string {
  const start = JSON.stringify([...values]).replaceAll('<', '\\u003c');
  const body = `<header><h1>Templates in <code>${escapeHtml(dir)}</code></h1> <span id="status" role="status"></span></header>
<nav aria-label="Templates">
<button type="button" id="skip">Skip to the template</button>
<label for="filter">Filter</label>
<input id="filter" type="search" autocomplete="off">
<p id="count" role="status"></p>
<ul id="list"></ul>
</nav>
<main id="main" tabindex="-1">
<h2 id="title">Choose a template</h2>
<p id="file"></p>
<p id="wrong" role="alert"></p>
<form id="variables" aria-label="Variables"></form>
<p id="odd"></p>
<dl id="subject"></dl>
<iframe id="frame" title="Rendering" sandbox="" hidden></iframe>
</main>
<script type="application/json" id="start">${start}</script>
<script nonce="${nonce}">${script}</script>`;
  return htmlPage(`Templates in ${dir}`, style, body);
}

const script = `
const at = (id) => document.getElementById(id);
const make = (name, facts = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), facts);
  made.append(...inside);
  return made;
};
const values = new Map(JSON.parse(at('start').textContent));
let chosen = decodeURIComponent(location.hash.slice(1));
let all = [];
let asked = 0;

function list() {
  const wanted = at('filter').value.normalize('NFKC').toLowerCase();
  const shown = all.filter(({ file, title }) => (file + ' ' + title).normalize('NFKC').toLowerCase().includes(wanted));
  const count = all.length === 1 ? '1 template' : all.length + ' templates';
  at('count').textContent = shown.length === all.length ? count : shown.length + ' of ' + count;
  // New buttons lose the focus that the old ones had.
  const focused = document.activeElement.dataset.file;
  at('list').replaceChildren(...shown.map(({ file, title, wrong }) => {
    const button = make('button', { type: 'button' }, title, make('small', {}, wrong ?? file));
    button.dataset.file = file;
    if (file === chosen) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => {
      chosen = file;
      history.replaceState(null, '', '#' + encodeURIComponent(file));
      list();
      show();
    });
    return make('li', {}, button);
  }));
  if (focused) [...at('list').querySelectorAll('button')].find(({ dataset }) => dataset.file === focused)?.focus();
}

// What a template calls its variables must not become names of elements: a form would have them in place of its own.
let shown = '';
function fields(variables) {
  if (shown === variables.join('\\n')) return;
  shown = variables.join('\\n');
  at('variables').replaceChildren(...variables.map((name, index) => {
    const input = make('input', { id: 'variable-' + index, value: values.get(name) ?? '', autocomplete: 'off' });
    input.addEventListener('input', () => {
      values.set(name, input.value);
      show();
    });
    return make('div', {}, make('label', { htmlFor: input.id }, name), input);
  }));
}

// A sandboxed frame that is given a document while it loads another may stay blank for good, so each has to load first.
let loading = false;
let frameText = '';
function render(text) {
  frameText = text;
  if (loading || at('frame').srcdoc === text) return;
  loading = true;
  at('frame').srcdoc = text;
}
at('frame').addEventListener('load', () => {
  loading = false;
  render(frameText);
});

async function show() {
  if (!all.some(({ file }) => file === chosen)) return;
  const turn = ++asked;
  const body = JSON.stringify({ file: chosen, values: Object.fromEntries(values) });
  const answer = await fetch('render', { method: 'POST', body });
  if (turn !== asked) return;
  const failed = { frame: '', title: chosen, file: chosen, wrong: 'it cannot be shown', variables: [], notUnderstood: [] };
  const made = answer.ok ? await answer.json() : failed;
  render(made.frame);
  at('frame').hidden = made.wrong !== null;
  at('title').textContent = made.title;
  at('file').textContent = made.title === made.file ? '' : made.file;
  at('wrong').textContent = made.wrong === null ? '' : made.file + ': ' + made.wrong;
  at('odd').textContent = made.notUnderstood.length > 0 ? 'Left as it is: ' + made.notUnderstood.join('; ') : '';
  at('subject').replaceChildren(...(made.subject ? [make('dt', {}, 'Subject'), make('dd', {}, made.subject)] : []));
  fields(made.variables);
}

let seen = '';
async function load() {
  const answer = await fetch('templates', { headers: { 'if-none-match': seen } });
  if (!answer.ok) return;
  seen = answer.headers.get('etag');
  all = await answer.json();
  if (!all.some(({ file }) => file === chosen)) chosen = all[0]?.file ?? '';
  list();
  await show();
}

async function watch() {
  for (;;) {
    await load();
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

at('filter').addEventListener('input', list);
at('skip').addEventListener('click', () => at('main').focus());
at('variables').addEventListener('submit', (event) => event.preventDefault());
watch().catch(() => { at('status').textContent = 'The preview has ended.'; });
`;

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; background: Canvas; color: CanvasText }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; grid-template: auto 1fr / minmax(12rem, 20rem) minmax(0, 1fr) }
header { grid-column: 1 / -1; padding: .5rem 1rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); display: flex; gap: 1rem; align-items: baseline; flex-wrap: wrap }
h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere }
h2 { margin: 0; overflow-wrap: anywhere }
nav { padding: 1rem; border-inline-end: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
nav p { margin: .5rem 0 }
nav ul { list-style: none; margin: 0; padding: 0 }
nav button { width: 100%; text-align: start; font: inherit; padding: .5rem; border: 0; border-radius: .25rem; background: none; color: inherit; overflow-wrap: anywhere; cursor: pointer }
nav button:hover { background: color-mix(in srgb, currentColor 8%, transparent) }
nav button[aria-current] { font-weight: bold; box-shadow: inset .25rem 0 LinkText; background: color-mix(in srgb, LinkText 12%, transparent) }
small { display: block; opacity: .75 }
main { padding: 1rem; display: flex; flex-direction: column; gap: .5rem }
main p, dl { margin: 0; overflow-wrap: anywhere }
p:empty, dl:empty, form:empty { display: none }
#wrong { font-weight: bold }
form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); gap: .5rem 1rem; align-items: end }
label { display: block; overflow-wrap: anywhere }
input { font: inherit; padding: .4rem; width: 100% }
dl { display: flex; gap: 1rem }
dt { font-weight: bold; white-space: nowrap }
dd { margin: 0 }
iframe { flex: 1; min-height: 24rem; width: 100%; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); background: #fff; color-scheme: light }
iframe[hidden] { display: none }
:focus-visible, iframe:focus { outline: 3px solid LinkText; outline-offset: 2px }
main:focus-visible { outline-offset: -3px }
#skip { margin-bottom: .5rem }
#skip:not(:focus) { position: absolute; width: auto; clip-path: inset(50%) }
@media (width > 40rem) { body { height: 100vh; grid-template-rows: auto minmax(0, 1fr) } nav, main { overflow: auto } }
@media (width <= 40rem) { body { grid-template: auto auto 1fr / minmax(0, 1fr) } nav { border: 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent) } nav ul { max-height: 12rem; overflow: auto } }
`;
