import { groupDigits } from '../text/group-digits.ts';
import { compactLines, pretty } from '../text/json-write.ts';
import { chooseColumns } from './columns.ts';
import { type CsvForm, csvForm } from './csv.ts';
import { readAhead } from './pages.ts';
import { paintFor } from './paint.ts';
import { idForm, plainForm } from './plain.ts';
import type { Form, ListResult, OutputShape, Page, Streams } from './result.ts';
import { yamlForm } from './yaml.ts';

/** Writes a list page by page; remarks about its items (none, cut, risky in a spreadsheet) go to `notice`. */
export async function writeList(list: ListResult, shape: OutputShape, streams: Streams): Promise<void> {
  const { stdout, notice } = streams;
  let form: Form | undefined;
  let count = 0;
  let isSilent = true;
  let last: Page | undefined;
  for await (const page of readAhead(list.pages)) {
    // The first page decides the columns, so that an unknown one is refused before anything is written.
    form ??= await formOf(list, shape, streams, page.items);
    const text = await form.page(page.items);
    await stdout.write(text);
    if (stdout.closed) return;
    isSilent &&= text === '';
    count += page.items.length;
    last = page;
  }
  form ??= await formOf(list, shape, streams, []);
  await stdout.write(await form.end());
  if (stdout.closed) return;
  if (count === 0 && shape.format === 'table') await notice(list.empty);
  if (count > 0 && shape.format === 'id' && isSilent)
    await notice(`The platform returned no IDs of these ${list.noun}`);
  if (stdout.isTerminal && isRisky(form)) {
    await notice('Spreadsheets read cells that begin with = + - or @ as formulas; --csv-safe prevents that');
  }
  const footer = form.footer?.();
  if (footer !== undefined) await notice(footer);
  await noticeCut(list, count, last, notice);
}

async function formOf(
  list: ListResult,
  shape: OutputShape,
  { stdout, now }: Streams,
  items: readonly unknown[],
): Promise<Form> {
  switch (shape.format) {
    case 'json':
      return jsonForm();
    case 'ndjson':
      return { page: compactLines, end: () => '' };
    case 'yaml':
      return yamlForm();
    case 'csv':
      return csvForm(chooseColumns(list, shape.columns, items), shape.csvSafe === true, stdout.isTerminal);
    case 'id':
      return idForm(list.id);
    case 'table': {
      const exact = shape.columns !== undefined;
      if (list.lines && !exact) return linesForm(list.lines, { stdout, now });
      const columns = chooseColumns(list, shape.columns, items);
      if (!stdout.isTerminal) return plainForm(columns, list.id, stdout);
      if (list.screen && !exact) return linesForm(list.screen, { stdout, now });
      // Only a terminal needs this, so a pipe does not load it.
      const { tableForm } = await import('./table.ts');
      return tableForm(columns, { id: list.id, sink: stdout, exact, now: now() });
    }
  }
}

async function linesForm(
  lines: NonNullable<ListResult['lines']>,
  { stdout, now }: Pick<Streams, 'stdout' | 'now'>,
): Promise<Form> {
  const look = { paint: await paintFor(stdout.color), columns: stdout.columns, now: now() };
  return { page: (items) => items.map((item) => `${lines(item, look)}\n`).join(''), end: () => '' };
}

function jsonForm(): Form {
  let isEmpty = true;
  return {
    page(items) {
      if (items.length === 0) return '';
      const lead = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      // Without the brackets of the page.
      return lead + pretty(items).slice(2, -2);
    },
    end: () => (isEmpty ? '[]\n' : '\n]\n'),
  };
}

function isRisky(form: Form | CsvForm): boolean {
  return 'isRisky' in form && form.isRisky();
}

/** Tells the user that a list was cut, and out of how many: "50 of 2,000 users: --all for the rest". */
export async function noticeCut(list: ListResult, count: number, last: Page | undefined, notice: Streams['notice']) {
  const { total, more } = last ?? {};
  const isCut = more ?? (total !== undefined && count < total);
  if (!isCut) return;
  const share = total === undefined ? groupDigits(count) : `${groupDigits(count)} of ${groupDigits(total)}`;
  await notice(`${share} ${list.noun}${total === undefined ? ', and there may be more' : ''}: --all for the rest`);
}
