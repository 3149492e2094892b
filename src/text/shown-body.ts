import { messageInXml, titleOf } from './html.ts';
import { parseOrdered } from './json.ts';
import { jsonText } from './json-write.ts';
import { hidden, soundsSecret } from './secret-names.ts';

/** Members of which no value is shown: all that a channel needs to reach its service. */
const channelSecrets = /^(?:config|commonSettings)$/i;

const parameter = /(^|[?&#;\s"'])([^=&#?;\s"']+)=("[^"]*"?|'[^']*'?|[^&#\s"']*)/g;

/**
 * A body as traces and transcripts show it, with all names, but only with values whose names are harmless, booleans, and null. Of a web page or XML only
 * the title or the message is shown, and of broken JSON only its fault. Plain text may still hold secrets.
 */
export function shownBody(text: string, isHarmless: (name: string) => boolean): string {
  const plain = text.replace(/^\ufeff/, '').trim();
  if (/^[[{]/.test(plain)) {
    const read = parseOrdered(plain);
    if ('value' in read) return jsonText(shownValue(read.value, isHarmless));
    return `${hidden} (${plain.length} characters, ${read.problem}: character ${read.at + 1}${read.fault ? `, ${read.fault}` : ''})`;
  }
  if (/<[a-z!?]/i.test(plain))
    return `${hidden} (${plain.length} characters: ${titleOf(plain) ?? messageInXml(plain) ?? 'a page without a title'})`;
  return plain.replace(parameter, (whole, mark: string, name: string) =>
    isHarmless(name) ? whole : `${mark}${name}=${hidden}`,
  );
}

function shownValue(value: unknown, isHarmless: (name: string) => boolean, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shownValue(each, isHarmless, name));
  if (value instanceof Map) {
    const isHidden = channelSecrets.test(name) || soundsSecret(name);
    const isError = /^(?:errors|modelState)$/i.test(name); // its members are named as fields, and hold sentences
    const isHarmlessMember = isError ? (field: string) => !soundsSecret(field) : isHarmless;
    const isHarmlessInside = isHidden ? () => false : isHarmlessMember;
    return new Map([...value].map(([key, inner]) => [key, shownValue(inner, isHarmlessInside, key)]));
  }
  if (value === null || typeof value === 'boolean' || isHarmless(name)) return value;
  if (soundsSecret(name)) return hidden;
  return `${hidden} (${typeof value === 'string' ? 'string' : 'number'}, ${String(value).length})`;
}
