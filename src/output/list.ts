import { chooseColumns } from './columns.ts';
import { type CsvForm, csvForm } from './csv.ts';
import { compact, pretty } from './json.ts';
import { readAhead } from './pages.ts';
import { idForm, plainForm } from './plain.ts';
import type { Form, ListResult, Page, Shape, Sink, Streams } from './result.ts';
import { tableForm } from './table.ts';
import { yamlForm } from './yaml.ts';

/** Writes a list page by page; what its items are for the person (none, cut, risky in a spreadsheet) goes to `notice`. */
export async function writeList(list: ListResult, shape: Shape, { stdout, notice }: Streams): Promise<void> {
  let form: Form | undefined;
  let count = 0;
  let isSilent = true;
  let last: Page | undefined;
  for await (const page of readAhead(list.pages)) {
    // The first page settles the columns, so that an unknown one is refused before the first byte.
    form ??= await formOf(list, shape, stdout, page.items);
    const text = form.page(page.items);
    await stdout.write(text);
    if (stdout.closed) return;
    isSilent &&= text === '';
    count += page.items.length;
    last = page;
  }
  form ??= await formOf(list, shape, stdout, []);
  await stdout.write(form.end());
  if (stdout.closed) return;
  if (count === 0 && shape.format === 'table') await notice(list.empty);
  if (count > 0 && shape.format === 'id' && isSilent) await notice(`The platform gave no ids of these ${list.noun}`);
  if (stdout.isTerminal && isRisky(form)) {
    await notice('A spreadsheet takes cells that begin with = + - or @ for formulas: --csv-safe defuses them');
  }
  await noticeCut(list, count, last, notice);
}

async function formOf(list: ListResult, shape: Shape, sink: Sink, items: readonly unknown[]): Promise<Form> {
  switch (shape.format) {
    case 'json':
      return jsonForm();
    case 'ndjson':
      return { page: (page) => page.map((item) => `${compact(item)}\n`).join(''), end: () => '' };
    case 'yaml':
      return yamlForm();
    case 'csv':
      return csvForm(chooseColumns(list, shape.columns, items), shape.csvSafe === true);
    case 'id':
      return idForm(list.id);
    case 'table': {
      const columns = chooseColumns(list, shape.columns, items);
      return sink.isTerminal ? tableForm(columns, list.id, sink) : plainForm(columns, list.id, sink);
    }
  }
}

function jsonForm(): Form {
  let isEmpty = true;
  return {
    page(items) {
      if (items.length === 0) return '';
      const lead = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      return lead + items.map((item) => `  ${pretty(item, '  ')}`).join(',\n');
    },
    end: () => (isEmpty ? '[]\n' : '\n]\n'),
  };
}

function isRisky(form: Form | CsvForm): boolean {
  return 'isRisky' in form && form.isRisky();
}

/** Says that a list was cut, and of how many: "50 of 2,000 users: --all for the rest". */
export async function noticeCut(list: ListResult, count: number, last: Page | undefined, notice: Streams['notice']) {
  const { total, more } = last ?? {};
  const isCut = more ?? (total !== undefined && count < total);
  if (!isCut) return;
  const share = total === undefined ? grouped(count) : `${grouped(count)} of ${grouped(total)}`;
  await notice(`${share} ${list.noun}${total === undefined ? ', and there may be more' : ''}: --all for the rest`);
}

/** 2000 as "2,000", in every locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
}
