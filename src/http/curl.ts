import { target, type WireRequest } from '../contract/wire.ts';
import { escapedInJson } from '../text/json-write.ts';

type CurlOptions = {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly platform: NodeJS.Platform;
  /** Set if the body is left out: curl reads it from standard input. */
  readonly bodyFromInput?: boolean;
};

/** The request as one line of curl to copy, in visible characters, for a POSIX shell or the prompt of cmd.exe, with the token in IIOT_TOKEN. */
export function curlLine(
  base: string,
  request: WireRequest,
  { headers = {}, platform, bodyFromInput = false }: CurlOptions,
): { readonly url: string; readonly line: string } {
  const shell = platform === 'win32' ? forCmd : forPosix;
  // Spelled as it is sent, by the URL standard.
  const url = new URL(base + target(request)).href;
  const parts = [shell.curl, '--fail-with-body', '-X', request.method, '-H', shell.authorization];
  const all = { Accept: 'application/json', ...headers, ...(request.body && { 'Content-Type': request.body.type }) };
  // curl drops a header without a value unless it ends with a semicolon.
  for (const [name, value] of Object.entries(all))
    parts.push('-H', shell.quoted(value === '' ? `${name};` : `${name}: ${value}`));
  const body = request.body && (bodyFromInput ? fromInput : bodyWords(request.body, shell));
  if (body) parts.push(...body.words);
  // curl would expand brackets and braces in a URL as ranges, and resolve dot segments.
  const line = [...parts, '--globoff', '--path-as-is', shell.quoted(url)].join(' ');
  return { url, line: body?.before === undefined ? line : `${body.before} | ${line}` };
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const everyUnseen = new RegExp(unseen.source, 'gu');

/** How a command line is written for one kind of shell. */
type CurlShell = {
  readonly curl: string;
  readonly authorization: string;
  quoted(text: string): string;
  /** Rewrites JSON, with escapes for characters that the shell would change. */
  json(text: string): string;
  /** Characters that the shell cannot take literally. */
  readonly unfit: RegExp;
  /** A command that prints a text, whatever it contains. */
  printing(text: string): string;
};

const forPosix: CurlShell = {
  curl: 'curl',
  authorization: '"Authorization: Bearer $IIOT_TOKEN"',
  // Escapes quotes. Also escapes backslashes before a backslash, a quote or the end: inside quotes, fish takes them for escapes, unlike sh.
  quoted: (text) => `'${text.replace(/'|\\(?=['\\]|$)/g, "'\\$&'")}'`,
  json: visibleJson,
  unfit: unseen,
  // printf decodes the octal escapes of invisible characters.
  printing: (text) => `printf '%b' ${forPosix.quoted(octal(text))}`,
};

const forCmd: CurlShell = {
  // Without .exe, PowerShell would run its own alias `curl`.
  curl: 'curl.exe',
  authorization: '"Authorization: Bearer %IIOT_TOKEN%"',
  quoted: quotedForCmd,
  // The special characters of cmd.exe are escaped, which JSON allows, because they can only be inside strings.
  json: (text) => visibleJson(text).replace(/[&|<>^%!]|[^\x20-\x7e]/g, escapedInJson),
  unfit: /[^\x20-\x7e]|%/,
  printing(text) {
    const bytes = `[Convert]::FromBase64String('${Buffer.from(text).toString('base64')}')`;
    return `powershell -NoProfile -Command "$b=${bytes};[Console]::OpenStandardOutput().Write($b,0,$b.Length)"`;
  },
};

function bodyWords(
  { type, text }: NonNullable<WireRequest['body']>,
  shell: CurlShell,
): { readonly words: readonly string[]; readonly before?: string } {
  const shown = /json/i.test(type) ? shell.json(text) : text;
  if (!shell.unfit.test(shown)) return { words: ['--data-raw', shell.quoted(shown)] };
  return { ...fromInput, before: shell.printing(shown) };
}

const fromInput = { words: ['--data-binary', '@-'], before: undefined };

/** Rewrites JSON without invisible characters. Line breaks between values become spaces, and characters inside strings become escapes. */
function visibleJson(text: string): string {
  return text.replace(everyUnseen, (character) => (/[\t\n\r]/.test(character) ? ' ' : escapedInJson(character)));
}

function octal(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(everyUnseen, (character) =>
      [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join(''),
    );
}

/**
 * Quotes a text for a program on Windows, which reads `\"` as a quote: backslashes directly before a quote, or at the end, are doubled. For cmd.exe,
 * every quote, escaped or not, switches quoting on or off. Where it is off, the special characters of cmd.exe need a caret.
 */
function quotedForCmd(text: string): string {
  const escaped = text.replace(
    /(?<!\\)(\\*)("|$)/g,
    (_, slashes: string, end: string) => slashes + slashes + (end && '\\"'),
  );
  const parts = `"${escaped}"`.split('"');
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/[&|<>^()]/g, '^$&'))).join('"');
}
