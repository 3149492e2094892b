/** Facts about a cell beside its text. */
export type CellFacts = {
  /** Why the cell has no value, as the end of "has …". */
  readonly flaw?: string | undefined;
  /** Why the cell cannot be an ID, as the end of "cell A4 is …". */
  readonly nature?: string;
  /** The digits of a number in the file. */
  readonly digits?: string;
  /** Whether a number has more digits than spreadsheets keep. */
  readonly isRounded?: boolean;
  /** Whether the value is from a formula that has to be calculated again. */
  readonly isOutdated?: boolean;
};

export type CellText = { readonly text: string; readonly facts?: CellFacts | undefined };

/** A number format: a pattern, or the number of a built-in one. */
export type Style = string | number;

/**
 * Loads a function that formats numbers as a sheet shows them: 7 in the format 0000 is 0007. Dates and times become ISO 8601. Without a format, a number
 * keeps all its digits. The only file that loads numfmt.
 * @param is1904 whether days are counted from 1904, as on old Macs
 */
export async function openNumbers(is1904: boolean): Promise<(value: string, style: Style) => CellText> {
  const { format, getFormatDateInfo, getFormatFromId, isDateFormat } = await import('numfmt');
  const kinds = new Map<Style, Kind>();
  const kindOf = (style: Style): Kind => {
    const pattern = typeof style === 'number' ? getFormatFromId(thaiFormats[style - 69] ?? style) : style;
    if (/^(general|@)?$/i.test(pattern)) return { kind: 'plain' };
    if (!isDateFormat(pattern) || /\[(h+|m+|s+)\]/i.test(pattern)) return { kind: 'number', pattern };
    const { year, month, day, seconds } = getFormatDateInfo(pattern);
    return { kind: 'date', hasDate: year || day || (month && !seconds) };
  };
  return (value: string, style: Style): CellText => {
    const kind = kinds.get(style) ?? kindOf(style);
    kinds.set(style, kind);
    const number = Number(value);
    if (kind.kind === 'plain' || !Number.isFinite(number)) return numberCell(value, plainNumber(value));
    if (kind.kind === 'number') return numberCell(value, format(kind.pattern, number, { throws: false }).trim());
    const text = dateText(number + (is1904 ? 1462 : 0), kind) ?? plainNumber(value);
    return { text, facts: { nature: kind.hasDate ? 'a date' : 'a time' } };
  };
}

/** The formats for the built-in ones 69 to 81 of ECMA-376, which are Thai fractions, dates and times: numfmt has them one number later. */
const thaiFormats = [12, 13, 14, 15, 16, 17, 20, 21, 22, 45, 46, 47, 14] as const;

type Kind =
  | { readonly kind: 'plain' }
  | { readonly kind: 'number'; readonly pattern: string }
  | { readonly kind: 'date'; readonly hasDate: boolean };

/** The cell of a number. @param shown the number in its format */
export function numberCell(value: string, shown: string): CellText {
  if (shown === value && /^-?\d{1,15}$/.test(value)) return { text: value };
  const digits = digitsOf(value);
  const facts = factsOfNumber(digits, shown);
  // A format shows at most fifteen digits and zeros after them, so the digits of the file are taken.
  const isExact = facts?.isRounded && /^-?\d+$/.test(shown);
  return { text: digits && isExact ? digits.padStart(shown.startsWith('-') ? 0 : shown.length, '0') : shown, facts };
}

/** A number with a separator between digits, which would look different in each country, or a percentage, which is another number. */
const separated = /%|\d(?:[.,'’\u00a0\u202f]|E[+-])\d/i;

function factsOfNumber(digits: string | undefined, shown: string): CellFacts | undefined {
  if (digits === undefined) return { nature: 'not a number that can be read' };
  if (digits.includes('.')) return { nature: 'a fraction', digits };
  const { length } = digits.replace('-', '');
  if (length > 15) return { nature: `a number of ${length} digits; spreadsheets keep 15`, digits, isRounded: true };
  const runs = [...(shown.match(/\d+/g) ?? []), shown.replace(/\D/g, '')];
  const isShown = !separated.test(shown) && runs.some((run) => run !== '' && Number(run) === Math.abs(Number(digits)));
  if (isShown) return undefined;
  // LibreOffice saves TRUE as the number 1.
  return { nature: `the number ${digits}, shown as ${JSON.stringify(shown)}`, ...(/\d/.test(shown) && { digits }) };
}

/** A number without a format and an exponent: all digits of a whole number, and the fifteen of a fraction that a sheet keeps. */
export function plainNumber(value: string): string {
  if (/^-?\d{1,15}$/.test(value)) return value;
  const digits = digitsOf(value);
  return (digits?.includes('.') ? digitsOf(Number(value).toExponential(14)) : digits) ?? value;
}

/** All digits of a number, without an exponent. Undefined for a text that is not a number in a sheet. */
function digitsOf(value: string): string | undefined {
  const [, sign, whole = '', rest = '', exponent = '0'] =
    /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:E([+-]?\d{1,3}))?$/i.exec(value.trim()) ?? [];
  if (whole + rest === '') return undefined;
  return decimal(whole + rest, whole.length - 1 + Number(exponent), sign === '-');
}

/** A decimal number of digits and an exponent. The decimal point is after the first digit before `exponent` moves it. */
function decimal(digits: string, exponent: number, isNegative: boolean): string {
  const all = exponent < 0 ? '0' : digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const whole = all.replace(/^0+(?=\d)/, '');
  const rest = exponent < 0 ? '0'.repeat(-exponent - 1) + digits : digits.slice(exponent + 1);
  const fraction = rest.replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return isNegative && /[1-9]/.test(text) ? `-${text}` : text;
}

const day = 86_400_000;

/** The date or time of a number of days since the end of 1899. Day 60 is 29 February 1900, which never existed. */
function dateText(serial: number, { hasDate }: { hasDate: boolean }): string | undefined {
  const milliseconds = Math.round(serial * day);
  const moment = Date.UTC(1899, 11, serial < 60 ? 31 : 30) + milliseconds;
  if (serial < 0 || moment > Date.UTC(9999, 11, 31, 23, 59, 59, 999)) return undefined;
  const text = new Date(roundedTo(moment)).toISOString();
  return !hasDate && serial < 1 ? text.replace(/^.*T|(?:\.000)?Z$/g, '') : isoText(text);
}

/** A date or time in one form, whichever program wrote it: "2026-01-01" for a date without a time. */
export function isoText(text: string): string {
  return text
    .replace(/\.0+(?=Z?$)/, '')
    .replace(/Z$/, '')
    .replace(/T00:00:00$/, '');
}

// Fractions of a day are not whole seconds in binary.
function roundedTo(moment: number): number {
  const second = Math.round(moment / 1000) * 1000;
  return Math.abs(moment - second) <= 5 ? second : moment;
}
