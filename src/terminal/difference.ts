/** Telling a person why two names that look alike are not the same. */
import { describeCharacters, likeness } from './characters.ts';

type Fold = { readonly says: string; readonly of: (text: string) => string };

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const withoutUnseen = (text: string) => text.replace(unseen, '');
const withEqualBlanks = (text: string) => text.replace(/[\p{Z}\t\n\r\v\f]/gu, ' ');
const asRead = (text: string) => Array.from(text, likeness).join('');

/** From the least to the most: the first that makes both names equal says what kind of difference it is. */
const folds: readonly Fold[] = [
  { says: 'an accented letter is made of other characters', of: (text) => text.normalize('NFC') },
  { says: 'there is a blank more or less at an end', of: (text) => text.trim() },
  { says: 'one has a character that does not show', of: withoutUnseen },
  { says: 'a blank is of another kind', of: withEqualBlanks },
  { says: 'upper and lower case differ', of: (text) => text.toUpperCase().toLowerCase() },
  { says: 'a character has another width or form', of: (text) => text.normalize('NFKC') },
  { says: 'a character only looks alike', of: asRead },
  {
    says: 'they only look alike',
    of: (text) => {
      const plain = withEqualBlanks(withoutUnseen(text.normalize('NFKC'))).trim();
      return asRead(plain.normalize('NFD').replace(/\p{M}/gu, '')).toUpperCase().toLowerCase();
    },
  },
];

/**
 * Compares a typed name as the platform does, code point by code point. Nothing where they are equal; else the sentence that refuses
 * it: one that differs only in ways that are hard to see is said which character is what (faults.md's C4); one that is simply
 * another name is not told what the right one is. Positions count characters as a reader sees them, from 1.
 */
export function explainDifference(typed: string, actual: string): string | undefined {
  if (typed === actual) return undefined;
  const fold = folds.find(({ of }) => of(typed) === of(actual));
  if (!fold) return 'That is not the name.';
  const [left, right] = [characters(typed), characters(actual)];
  const at = left.findIndex((character, index) => character !== right[index]);
  const position = at === -1 ? left.length : at;
  const [given, wanted] = [left[position], right[position]];
  return `That is not quite the name: ${fold.says}. Character ${position + 1} ${said(given, wanted)}.`;
}

function said(given: string | undefined, wanted: string | undefined): string {
  if (given === undefined) return `is missing; in the name it is ${describeCharacters(wanted ?? '')}`;
  const was = `was typed as ${describeCharacters(given)}`;
  return wanted === undefined
    ? `${was}; the name ends before it`
    : `${was}; in the name it is ${describeCharacters(wanted)}`;
}

/**
 * What in a name may not be what the person thinks it is, for a platform that refused it and does not say why: a character that does
 * not show, a blank at an end or of another kind, a letter of another script among Latin ones, an accent apart from its letter.
 * Nothing where the name is plain.
 */
export function explainUnusual(name: string): string | undefined {
  const all = characters(name);
  const position = all.findIndex((character, index) =>
    isUnusual(character, index === 0 || index === all.length - 1, name),
  );
  if (position === -1) return undefined;
  return `Character ${position + 1} of what was typed is ${describeCharacters(all[position] ?? '')}.`;
}

function isUnusual(character: string, atEnd: boolean, name: string): boolean {
  if (withoutUnseen(character) !== character || character.normalize('NFKC') !== character) return true;
  if (withEqualBlanks(character) === ' ') return atEnd || character !== ' ';
  return /[A-Za-z]/.test(name) && !/^[\x20-\x7e]+$/.test(character) && likeness(character) !== character;
}

function characters(text: string): string[] {
  return Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
}
