import { once } from './once.ts';

const printable = /^[ -~]*$/;
// Made on first use: V8 takes longer to compile Unicode classes than most runs need for all of their texts.
// Control characters, format characters (bidirectional, zero width, BOM, tags), private use, lone surrogates, line separators, blank fillers.
const hidden = once(() => /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
// Joiners and selectors are kept where they form an emoji: next to a pictograph, or in a keycap. So are what a script needs: the selector of a
// variant behind a character of Chinese or Japanese, and the place where a line may break between letters of scripts without spaces.
const keptOrHidden = once(() => {
  const emoji =
    /\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*|[0-9#*]\ufe0f\u20e3/u;
  const needed =
    /(?<=\p{sc=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}])\u200b(?=[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}])/u;
  return new RegExp(`(${emoji.source}|${needed.source})|${hidden().source}`, 'gu');
});

const lineBreaks = {
  /** One line for people. */
  arrow: { '\n': '↵', '\r': '\\r', '\t': '\\t' },
  /** One line for a script. */
  escape: { '\n': '\\n', '\r': '\\r', '\t': '\\t' },
  /** Keeps line breaks. */
  keep: { '\n': '\n', '\t': '\t' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/**
 * A text in which everything can be seen: control characters, escape sequences, bidirectional overrides and invisible characters become `\u{1b}`. Emoji
 * and safe text are unchanged. Line breaks become `↵` (`arrow`) or `\n` (`escape`), or are kept, like tabs (`keep`).
 */
export function visible(text: string, lineEnds: keyof typeof lineBreaks = 'arrow'): string {
  if (printable.test(text) || !hidden().test(text)) return text;
  const spelling: Readonly<Record<string, string>> = lineBreaks[lineEnds];
  const oneLineEnd = lineEnds === 'arrow' ? text.replaceAll('\r\n', '\n') : text;
  return oneLineEnd.replace(keptOrHidden(), (part, kept?: string) => kept ?? spelling[part] ?? codePoint(part));
}

/** A text as from `visible`, in which blanks other than spaces can be seen, too. */
export function visibleWithBlanks(text: string): string {
  return visible(text).replace(/[^\S ]/g, codePoint);
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
