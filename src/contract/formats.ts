import { readQuartz } from '../quartz/quartz.ts';
import { parseUrl } from '../text/parse-url.ts';
import type { StringFormat } from './schema.ts';

type FormatFindings = { readonly refusal?: string; readonly warnings: readonly string[] };

/** The findings about a text of a format, in words that follow the field's name. */
export function formatProblem(format: StringFormat, text: string): FormatFindings {
  if (format === 'quartz') {
    const { refusal, warnings: doubts } = readQuartz(text);
    const warnings = doubts.map((doubt) => `is doubtful: ${doubt.charAt(0).toLowerCase()}${doubt.slice(1, -1)}`);
    return refusal === undefined ? { warnings } : { refusal: `takes a Quartz cron expression: ${refusal}`, warnings };
  }
  const rule = rules[format];
  if (!rule.holds(text)) return { refusal: rule.refusal, warnings: [] };
  return { warnings: format === 'threshold' && !threshold.test(text) ? [doubtOf(text)] : [] };
}

const rules = {
  guid: { holds: isGuid, refusal: 'takes a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301' },
  threshold: {
    holds: (text: string) => likeThreshold.test(text),
    refusal: 'takes a comparison operator and a number, such as ">80"',
  },
  'date-time': { holds: isDateTime, refusal: 'takes a time with its zone, such as 2027-01-31T00:00:00Z' },
  uri: { holds: (text: string) => parseUrl(text) !== undefined, refusal: 'takes a URL' },
} as const;

// The forms N, D, B, P and X that .NET's Guid reads.
const guidForms = [
  /^[0-9a-f]{32}$/i,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i,
  /^\([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\)$/i,
  /^\{0x[0-9a-f]{1,8}(,0x[0-9a-f]{1,4}){2},\{0x[0-9a-f]{1,2}(,0x[0-9a-f]{1,2}){7}\}\}$/i,
];

export function isGuid(text: string): boolean {
  return guidForms.some((form) => form.test(text));
}

/** Whether two IDs are the same. UUIDs may differ in their form. */
export function isSameId(one: string, other: string): boolean {
  const [plain, otherPlain] = [one.trim(), other.trim()].map((id) =>
    isGuid(id) ? id.replace(/[-{}()]/g, '').toLowerCase() : id,
  );
  return plain === otherPlain;
}

/** "a comparison operator followed by a number". A text without one of the two is refused; one that is not exactly that gets a warning. */
const likeThreshold = /^\s*[<>=!≤≥≠]+\s*[+-]?[.,]?\d/u;
const threshold = /^\s*(?:[<>]=?|[=!]?=|<>|[≤≥≠])\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** The warning that an engine may misread a threshold: ">80,5" as ">805", "=> 85" as "=85". */
function doubtOf(text: string): string {
  const [, operator = '', number = ''] = /^\s*([<>]=?|[=!]?=|.)[^\d.,+-]*([\d.,+-]+)/u.exec(text) ?? [];
  const reading = operator + number.replaceAll(',', '');
  return `${JSON.stringify(text)} is more than the operator and number that the interface knows; an engine may read it as "${reading}"`;
}

/** Epoch milliseconds of a "timestamp (ISO 8601, UTC)", also without a zone. NaN for any other text. */
export function utcTime(text: string): number {
  return Date.parse(/([zZ]|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
}

/** Whether a text is a time of RFC 3339 with a zone, and of a day that exists: `Date` alone would move 30 February to March. */
export function isDateTime(text: string): boolean {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const here = new Date(`${day}T${clock}Z`).toJSON() as string | null; // null for a day or a time that cannot be
  return here?.startsWith(`${day}T${clock}`) === true && !Number.isNaN(Date.parse(text.toUpperCase()));
}
