/** A number format: a pattern, or the number of a built-in one. */
export type Style = string | number;

/** The text of a number in a cell. */
type NumberText = (value: string, style: Style) => string;

/**
 * Formats numbers as a sheet shows them: 7 in the format 0000 is 0007. Dates and times become ISO 8601; without a format, a number keeps
 * all its digits. The only file that loads numfmt.
 * @param is1904 whether days are counted from 1904, as on old Macs
 */
export async function openNumbers(is1904: boolean): Promise<NumberText> {
  const { format, getFormatDateInfo, getFormatFromId, isDateFormat } = await import('numfmt');
  const kinds = new Map<Style, Kind>();
  const kindOf = (style: Style): Kind => {
    const pattern = typeof style === 'number' ? getFormatFromId(style) : style;
    if (/^(general|@)?$/i.test(pattern)) return { kind: 'plain' };
    if (!isDateFormat(pattern) || /\[(h+|m+|s+)\]/i.test(pattern)) return { kind: 'number', pattern };
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
    return { kind: 'date', hasDate: year || month || day, hasTime: hours || minutes || seconds };
  };
  return (value, style) => {
    const kind = kinds.get(style) ?? kindOf(style);
    kinds.set(style, kind);
    const number = Number(value);
    if (kind.kind === 'plain' || !Number.isFinite(number)) return plainNumber(value);
    if (kind.kind === 'date') return dateText(number + (is1904 ? 1462 : 0), kind) ?? plainNumber(value);
    return format(kind.pattern, number, { throws: false }).trim();
  };
}

type Kind =
  | { readonly kind: 'plain' }
  | { readonly kind: 'number'; readonly pattern: string }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean };

/** All fifteen digits that a sheet keeps, without an exponent. */
export function plainNumber(value: string): string {
  if (/^-?\d{1,15}$/.test(value)) return value;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  const [digits = '', exponent = '0'] = number.toExponential(14).split('e');
  return decimal(digits.replace('-', '').replace('.', ''), Number(exponent), number < 0);
}

/** @param digits the first of them is before the decimal point, which `exponent` moves */
function decimal(digits: string, exponent: number, isNegative: boolean): string {
  const whole = exponent < 0 ? '0' : digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = exponent < 0 ? '0'.repeat(-exponent - 1) + digits : digits.slice(exponent + 1);
  const fraction = rest.replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return isNegative && /[1-9]/.test(text) ? `-${text}` : text;
}

const day = 86_400_000;

/** Days since the end of 1899; day 60 is 29 February 1900, which never existed. */
function dateText(serial: number, { hasDate, hasTime }: { hasDate: boolean; hasTime: boolean }): string | undefined {
  const milliseconds = Math.round(serial * day);
  const moment = Date.UTC(1899, 11, serial < 60 ? 31 : 30) + milliseconds;
  if (serial < 0 || moment > Date.UTC(9999, 11, 31, 23, 59, 59, 999)) return undefined;
  const [date = '', time = ''] = new Date(roundedTo(moment)).toISOString().split('T');
  const clock = time.replace(/(\.000)?Z$/, '');
  if (!hasDate && serial < 1) return clock;
  return hasTime || milliseconds % day !== 0 ? `${date}T${clock}` : date;
}

// Fractions of a day are not whole seconds in binary.
function roundedTo(moment: number): number {
  const second = Math.round(moment / 1000) * 1000;
  return Math.abs(moment - second) <= 5 ? second : moment;
}
