import { Failure } from '../failure.ts';
import { groupDigits } from '../text/group-digits.ts';
import { compactLines, pretty } from '../text/json-write.ts';
import { chooseColumns, collectOtherFields, fieldNamed, namedFields, type OtherFields, valueAt } from './columns.ts';
import { csvForm } from './csv.ts';
import { type Foreseen, foresee } from './foresee.ts';
import { paintFor } from './paint.ts';
import { idForm, plainForm } from './plain.ts';
import { allColumns, type Form, type ListResult, type OutputShape, type Page, type Streams } from './result.ts';
import { yamlForm } from './yaml.ts';

/** Writes a list page by page. Remarks about its items (none, cut, risky in a spreadsheet) go to `notice`. */
export async function writeList(list: ListResult, shape: OutputShape, streams: Streams): Promise<void> {
  const { stdout, notice } = streams;
  const requested = shape.columns ?? (shape.format === 'csv' ? [allColumns] : []);
  const asksAll = requested.includes(allColumns);
  const isKnown = (name: string, items: readonly unknown[]) =>
    fieldNamed(name, list.columns, list.fields) ?? items.some((item) => valueAt(item, name) !== undefined);
  const isEnough = (items: readonly unknown[]) =>
    items.length > 0 && (list.live || (!asksAll && requested.every((name) => isKnown(name, items))));
  const foreseen: Foreseen = { samples: [] };
  let form: Form | undefined;
  let others: OtherFields | undefined;
  const written = { count: 0, isSilent: true, last: undefined as Page | undefined };
  for await (const page of foresee(list.pages, isEnough, foreseen)) {
    written.last = page;
    if (page.items.length === 0) continue;
    // An unknown column is refused before anything is written.
    form ??= await openForm(list, shape, streams, foreseen.samples).catch((error: unknown) => {
      throw foreseen.fault ?? error;
    });
    others ??= form.columns && collectOtherFields(form.columns);
    others?.addFrom(page.items);
    const text = await form.page(page.items);
    await stdout.write(text);
    if (stdout.closed) return;
    written.isSilent &&= text === '';
    written.count += page.items.length;
  }
  form ??= await openForm(list, shape, streams, []);
  await stdout.write(await form.end());
  if (stdout.closed) return;
  if (written.count === 0 && shape.format === 'table')
    await notice(typeof list.empty === 'string' ? list.empty : list.empty(list.seen ?? 0));
  if (written.count > 0 && shape.format === 'id' && written.isSilent)
    await notice(`The platform returned no IDs of these ${list.noun}`);
  for (const remark of [streams.isWatched ? form.remark?.() : undefined, form.footer?.(others?.names ?? [])])
    if (remark !== undefined) await notice(remark);
  await noticeCut(list, written.count, written.last, notice);
  streams.fields?.([...(form.columns ?? []).map(({ field }) => field), ...(others?.names ?? [])]);
  if (!asksAll || !others || others.names.length === 0) return;
  const missing = `The result lacks ${namedFields(others.names)}: the list is too large for a table.`;
  throw new Failure('unavailable', missing, { hint: 'Use -o ndjson' });
}

async function openForm(
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
    case 'csv': {
      const columns = chooseColumns(list, shape.columns ?? [allColumns], items);
      return csvForm(columns, shape.forSpreadsheet === true, stdout.isTerminal, list.id);
    }
    case 'id':
      return idForm(list.id, list.of);
    case 'table': {
      const { columns: asked } = shape;
      if (list.lines && !asked) return linesForm(list.lines, { stdout, now });
      const columns = chooseColumns(list, asked, items);
      if (!stdout.isTerminal) return plainForm(columns, list.id, stdout);
      if (list.screen && !asked) return linesForm(list.screen, { stdout, now });
      const { tableForm } = await import('./table.ts');
      return tableForm(columns, { id: list.id, sink: stdout, asked, known: list.fields, now: now() });
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
      const lead = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      // The items without the brackets around them.
      return lead + pretty(items).slice(2, -2);
    },
    end: () => (isEmpty ? '[]\n' : '\n]\n'),
  };
}

/** Tells the user that a list was cut, and out of how many: "50 of 2,000 users: --all for the rest". */
export async function noticeCut(list: ListResult, count: number, last: Page | undefined, notice: Streams['notice']) {
  const { total, more } = last ?? {};
  const isCut = more ?? (total !== undefined && count < total);
  if (!isCut) return;
  const share = total === undefined ? groupDigits(count) : `${groupDigits(count)} of ${groupDigits(total)}`;
  const doubt = total === undefined ? ', and there may be more' : '';
  await notice(`${share} ${list.noun}${doubt}${list.limited ? '' : ': --all for the rest'}`);
}
