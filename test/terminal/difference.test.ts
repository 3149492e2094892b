import { describe, expect, it } from 'vitest';
import { explainDifference, explainUnusual } from '../../src/terminal/difference.ts';

const quite = (says: string) => `That is not quite the name: ${says}`;

describe('explainDifference', () => {
  it.each(['Acme', '', ' ', 'A\u030angstro\u0308m', '\u{1f512}'])(
    'says nothing where the names are equal: %j',
    (name) => {
      expect(explainDifference(name, name)).toBeUndefined();
    },
  );

  it.each([
    ['another name', 'Acme', 'Beta'],
    ['half a name', 'Acm', 'Acme'],
    ['nothing', '', 'Acme'],
    ['a lost accent', 'Muller', 'Mueller'],
  ])('does not tell the right name to who typed %s', (_kind, typed, actual) => {
    expect(explainDifference(typed, actual)).toBe('That is not the name.');
  });

  it.each([
    [
      'a composed letter for two characters',
      'Z\u00fcrich',
      'Zu\u0308rich',
      'an accented letter is made of other characters. Character 2 was typed as U+00FC (\u00fc); in the name it is U+0075 (u) U+0308 (a combining mark).',
    ],
    [
      'two characters for a composed letter',
      'Zu\u0308rich',
      'Z\u00fcrich',
      'an accented letter is made of other characters. Character 2 was typed as U+0075 (u) U+0308 (a combining mark); in the name it is U+00FC (\u00fc).',
    ],
    [
      'a blank too many at the end',
      'Acme ',
      'Acme',
      'there is a blank more or less at an end. Character 5 was typed as U+0020 (a blank); the name ends before it.',
    ],
    [
      'a blank too few at the end',
      'Acme',
      'Acme ',
      'there is a blank more or less at an end. Character 5 is missing; in the name it is U+0020 (a blank).',
    ],
    [
      'a zero width space',
      'Ac\u200bme',
      'Acme',
      'one has a character that does not show. Character 3 was typed as U+200B (a zero width space); in the name it is U+006D (m).',
    ],
    [
      'a variation selector left out',
      'A\u2764',
      'A\u2764\ufe0f',
      'one has a character that does not show. Character 2 was typed as U+2764 (\u2764); in the name it is U+2764 (\u2764) U+FE0F (a character that does not show).',
    ],
    [
      'a no-break space for a blank',
      'Acme\u00a0Works',
      'Acme Works',
      'a blank is of another kind. Character 5 was typed as U+00A0 (a no-break space); in the name it is U+0020 (a blank).',
    ],
    [
      'another case',
      'acme',
      'Acme',
      'upper and lower case differ. Character 1 was typed as U+0061 (a); in the name it is U+0041 (A).',
    ],
    [
      'a full-width letter',
      '\uff21cme',
      'Acme',
      'a character has another width or form. Character 1 was typed as U+FF21 (\uff21, a full-width character); in the name it is U+0041 (A).',
    ],
    [
      'a Cyrillic letter',
      'Acm\u0435',
      'Acme',
      'a character only looks alike. Character 4 was typed as U+0435 (\u0435, a Cyrillic letter); in the name it is U+0065 (e).',
    ],
    [
      'a Greek letter',
      'Acme',
      '\u0391cme',
      'a character only looks alike. Character 1 was typed as U+0041 (A); in the name it is U+0391 (\u0391, a Greek letter).',
    ],
    [
      'a dash for a hyphen',
      'Line\u20133',
      'Line-3',
      'a character only looks alike. Character 5 was typed as U+2013 (\u2013); in the name it is U+002D (-).',
    ],
    [
      'a zero for the letter O',
      'Pr0d',
      'PrOd',
      'a character only looks alike. Character 3 was typed as U+0030 (0); in the name it is U+004F (O).',
    ],
    [
      'case, width and a blank at once',
      ' \uff41cm\u0435',
      'ACME',
      'they only look alike. Character 1 was typed as U+0020 (a blank); in the name it is U+0041 (A).',
    ],
  ])('says which character differs: %s', (_kind, typed, actual, says) => {
    expect(explainDifference(typed, actual)).toBe(quite(says));
  });

  it('shows no character raw that could change the screen', () => {
    expect(explainDifference('Ac\u001bme', 'Acme')).toBe(
      quite(
        'one has a character that does not show. Character 3 was typed as U+001B (a character that does not show); in the name it is U+006D (m).',
      ),
    );
  });
});

describe('explainUnusual', () => {
  it.each(['Acme Works 3', 'Zürich', 'Москва', 'Αθήνα', '日本', "O'Brien & Söhne - Werk 2", '\u{1f468}\u{1f3fd}'])(
    'has nothing to say of %j',
    (name) => {
      expect(explainUnusual(name)).toBeUndefined();
    },
  );

  it.each([
    ['Acme ', 'Character 5 of what was typed is U+0020 (a blank).'],
    ['\ufeffAcme', 'Character 1 of what was typed is U+FEFF (a byte order mark).'],
    ['Ac\u200bme', 'Character 3 of what was typed is U+200B (a zero width space).'],
    ['Acme\u00a0Works', 'Character 5 of what was typed is U+00A0 (a no-break space).'],
    ['Line\u20133', 'Character 5 of what was typed is U+2013 (\u2013).'],
    ['Acm\u0435', 'Character 4 of what was typed is U+0435 (\u0435, a Cyrillic letter).'],
    ['Zu\u0308rich', 'Character 2 of what was typed is U+0075 (u) U+0308 (a combining mark).'],
  ])('names the character of %j that is not what it seems', (name, says) => {
    expect(explainUnusual(name)).toBe(says);
  });
});
