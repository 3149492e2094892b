import { target, type WireRequest } from '../contract/wire.ts';

type CurlLine = { readonly url: string; readonly line: string };

/**
 * The same request for curl: one line for a POSIX shell, or for the prompt of cmd.exe, that has the token in IIOT_TOKEN. It holds visible characters
 * alone, so that it can be copied from wherever it is shown.
 */
export function curlLine(
  base: string,
  request: WireRequest,
  { headers = {}, platform }: { readonly headers?: Headers | undefined; readonly platform: NodeJS.Platform },
): CurlLine {
  const shell = platform === 'win32' ? forCmd : forPosix;
  // As the URL standard spells it, which is how it is sent.
  const url = new URL(base + target(request)).href;
  const parts = [shell.curl, '--fail-with-body', '-X', request.method, '-H', shell.authorization];
  const all = { Accept: 'application/json', ...headers, ...(request.body && { 'Content-Type': request.body.type }) };
  // curl leaves a header out that has no value, unless it ends with a semicolon.
  for (const [name, value] of Object.entries(all))
    parts.push('-H', shell.quoted(value === '' ? `${name};` : `${name}: ${value}`));
  const body = request.body && bodyWords(request.body, shell);
  if (body) parts.push(...body.words);
  // curl would take brackets and braces of a URL for ranges, and resolve dots.
  const line = [...parts, '--globoff', '--path-as-is', shell.quoted(url)].join(' ');
  return { url, line: body?.before === undefined ? line : `${body.before} | ${line}` };
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const everyUnseen = new RegExp(unseen.source, 'gu');

type Headers = Readonly<Record<string, string>>;

type Body = NonNullable<WireRequest['body']>;

/** How a line is written for one kind of shell. */
type Shell = {
  readonly curl: string;
  readonly authorization: string;
  quoted(text: string): string;
  /** The same JSON in characters that stay as they are on the line. */
  json(text: string): string;
  /** What cannot stand on the line as it is. */
  readonly unfit: RegExp;
  /** Prints a text, whatever is in it. */
  printing(text: string): string;
};

const forPosix: Shell = {
  curl: 'curl',
  authorization: '"Authorization: Bearer $IIOT_TOKEN"',
  quoted: (text) => `'${text.replaceAll("'", "'\\''")}'`,
  json: visibleJson,
  unfit: unseen,
  // printf undoes the octal numbers of what cannot be seen.
  printing: (text) => `printf '%b' ${forPosix.quoted(octal(text))}`,
};

const forCmd: Shell = {
  // Without the ending, PowerShell means a command of its own.
  curl: 'curl.exe',
  authorization: '"Authorization: Bearer %IIOT_TOKEN%"',
  quoted: quotedForCmd,
  // Inside of strings alone may these stand in JSON, and there they may be escaped; so cmd.exe meets none of its own characters.
  json: (text) => visibleJson(text).replace(/[&|<>^%!]|[^\x20-\x7e]/g, escapes),
  unfit: /[^\x20-\x7e]|%/,
  printing(text) {
    const bytes = `[Convert]::FromBase64String('${Buffer.from(text).toString('base64')}')`;
    return `powershell -NoProfile -Command "$b=${bytes};[Console]::OpenStandardOutput().Write($b,0,$b.Length)"`;
  },
};

function bodyWords(
  { type, text }: Body,
  shell: Shell,
): { readonly words: readonly string[]; readonly before?: string } {
  const shown = /json/i.test(type) ? shell.json(text) : text;
  if (!shell.unfit.test(shown)) return { words: ['--data-raw', shell.quoted(shown)] };
  return { before: shell.printing(shown), words: ['--data-binary', '@-'] };
}

/** The same JSON: between its values line ends are blanks, and inside of its strings every character can be escaped. */
function visibleJson(text: string): string {
  return text.replace(everyUnseen, (character) => (/[\t\n\r]/.test(character) ? ' ' : escapes(character)));
}

function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function octal(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(everyUnseen, (character) =>
      [...Buffer.from(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join(''),
    );
}

/**
 * As a program on Windows reads its words: a quote has a backslash before it, and so has each backslash before that. cmd.exe sees the quote alone, and
 * takes what comes after it for being outside until the next: there its own characters need a caret.
 */
function quotedForCmd(text: string): string {
  const escaped = text.replace(/(\\*)("|$)/g, (_, slashes: string, end: string) => slashes + slashes + (end && '\\"'));
  const [first = '', ...others] = `"${escaped}"`.split('"');
  return others.reduce(
    (line, part, index) => `${line}"${index % 2 === 0 ? part : part.replace(/[&|<>^()]/g, '^$&')}`,
    first,
  );
}
