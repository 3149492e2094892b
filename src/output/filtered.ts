import { wellFormed } from '../text/json-write.ts';
import { visible } from '../text/visible.ts';
import { runJq } from './jq.ts';
import { noticeCut } from './list.ts';
import { readAhead } from './pages.ts';
import type { Page, Result, Streams } from './result.ts';

type Filterable = Exclude<Result, { kind: 'text' }>;

/** Writes the values of a jq expression over the whole result: strings as they are, one per line, everything else as JSON on one line. */
export async function writeFiltered(
  result: Filterable,
  expression: string,
  { stdout, notice }: Pick<Streams, 'stdout' | 'notice'>,
): Promise<void> {
  const { json, count, last } = await wholeOf(result);
  const { values, remarks } = await runJq(expression, json);
  const show = (text: string) => (stdout.isTerminal ? visible(text, 'keep') : text);
  // A single write would hold a second copy of a result that may be large.
  for (let at = 0; at < values.length && !stdout.closed; at += 1000) {
    const lines = values.slice(at, at + 1000).map((value) => (value.startsWith('"') ? show(JSON.parse(value)) : value));
    await stdout.write(lines.map((line) => `${line}\n`).join(''));
  }
  for (const remark of remarks) await notice(visible(remark));
  if (result.kind === 'list' && !stdout.closed) await noticeCut(result, count, last, notice);
}

/** The whole result as one JSON text, with all its pages. */
async function wholeOf(result: Filterable) {
  if (result.kind !== 'list') return { json: wellFormed(result.value), count: 1, last: undefined };
  const items: string[] = [];
  let last: Page | undefined;
  for await (const page of readAhead(result.pages)) {
    for (const item of page.items) items.push(wellFormed(item));
    last = page;
  }
  return { json: `[${items.join(',')}]`, count: items.length, last };
}
