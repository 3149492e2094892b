import type { IBuffer, IBufferCell } from '@xterm/headless';

const cell = { width: 8.4, height: 19 };
const margin = 18;
const bar = 30;
const ink = '#d8dee9';
const palette = ['#4c566a', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'];

type Run = { readonly column: number; readonly width: number; readonly text: string; readonly style: string };

/** The screen of a terminal as an SVG picture, with texts that can be read aloud, searched and copied. */
export function drawTerminal(buffer: IBuffer, columns: number, title: string): string {
  const rows = rowsOf(buffer, columns);
  const width = columns * cell.width + 2 * margin;
  const height = rows.length * cell.height + bar + margin;
  const spoken = rows
    .map((runs) =>
      runs
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-labelledby="title text">
<title id="title">${escaped(title)}</title>
<desc id="text">${escaped(spoken)}</desc>
<rect width="100%" height="100%" rx="8" fill="#22272e"/>
${['#ff5f57', '#febc2e', '#28c840'].map((color, index) => `<circle cx="${20 + index * 20}" cy="16" r="6" fill="${color}"/>`).join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${ink}" xml:space="preserve">
${rows.map(drawRow).join('\n')}
</g>
</svg>
`;
}

function drawRow(runs: readonly Run[], row: number): string {
  const y = round(bar + (row + 0.75) * cell.height);
  const drawn = runs.flatMap(trimmed).map(({ column, width, text, style }) => {
    // The width is set, because fonts differ.
    const length = round(width * cell.width);
    return `<tspan x="${round(margin + column * cell.width)}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${style}>${escaped(text)}</tspan>`;
  });
  return `<text y="${y}">${drawn.join('')}</text>`;
}

/** A run without blanks at its ends, which draw nothing and differ in width between fonts. */
function trimmed({ column, width, text, style }: Run): Run[] {
  const inner = text.trim();
  const before = text.length - text.trimStart().length;
  const after = text.length - text.trimEnd().length;
  return inner === '' ? [] : [{ column: column + before, width: width - before - after, text: inner, style }];
}

/** The rows of the screen, without the prompt at the end and empty rows below it. */
function rowsOf(buffer: IBuffer, columns: number): Run[][] {
  const rows = Array.from({ length: buffer.length }, (_, row) => runsOf(buffer, row, columns));
  const last = rows.findLastIndex((runs) => runs.some(({ text }) => !['', '$', 'exit'].includes(text.trim())));
  return rows.slice(0, last + 1);
}

function runsOf(buffer: IBuffer, row: number, columns: number): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const found = buffer.getLine(row)?.getCell(column);
    if (!found || found.getWidth() === 0) continue;
    const style = styleOf(found);
    const text = found.getChars() || ' ';
    const before = runs.at(-1);
    // A run ends at two blanks, so that each column of a table begins in its place.
    if (before && before.style === style && !(before.text.endsWith('  ') && text !== ' ')) {
      runs[runs.length - 1] = { ...before, text: before.text + text, width: before.width + found.getWidth() };
    } else runs.push({ column, width: found.getWidth(), text, style });
  }
  return runs;
}

function styleOf(found: IBufferCell): string {
  const color = found.isFgPalette() ? palette[found.getFgColor() % 8] : undefined;
  const weight = found.isBold() ? ' font-weight="bold"' : '';
  const opacity = found.isDim() ? ' opacity="0.65"' : '';
  return `${color === undefined ? '' : ` fill="${color}"`}${weight}${opacity}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
