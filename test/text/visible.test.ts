import { describe, expect, it } from 'vitest';
import { visible } from '../../src/text/visible.ts';

describe('visible()', () => {
  it('does not change safe text', () => {
    const safe = 'Ada Lovelace – Zoë Ångström 李明 שלום عربي e\u0301 \u00a0 ~!"#$%&\\';
    expect(visible(safe)).toBe(safe);
  });

  it.each([
    ['an escape sequence', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a C1 sequence', '\u009b31m', '\\u{9b}31m'],
    ['a link of OSC 8', '\u001b]8;;http://x\u0007y', '\\u{1b}]8;;http://x\\u{7}y'],
    ['backspace and delete', 'a\u0008b\u007f', 'a\\u{8}b\\u{7f}'],
    ['a null', '\u0000', '\\u{0}'],
    ['bidirectional overrides', '\u202eabc\u202c\u2066x\u2069', '\\u{202e}abc\\u{202c}\\u{2066}x\\u{2069}'],
    ['direction marks', '\u200e\u200f\u061c', '\\u{200e}\\u{200f}\\u{61c}'],
    ['zero width', 'a\u200bb\u200cc\u200dd\u2060', 'a\\u{200b}b\\u{200c}c\\u{200d}d\\u{2060}'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['line separators', 'a\u2028b\u2029c\u0085', 'a\\u{2028}b\\u{2029}c\\u{85}'],
    ['tag characters', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
    ['private use', '\ue000\u{f0000}\u{10fffd}', '\\u{e000}\\u{f0000}\\u{10fffd}'],
    ['a lone surrogate', 'a\ud800b\udfff', 'a\\u{d800}b\\u{dfff}'],
    ['a soft hyphen and fillers', '\u00ad\u3164\u115f', '\\u{ad}\\u{3164}\\u{115f}'],
    ['a variation selector beside a letter', 'a\ufe0f', 'a\\u{fe0f}'],
    ['variation selectors that only hide a message', '辻\u{e0100}\u{e0111}', '辻\u{e0100}\\u{e0111}'],
    ['a variation selector of Japanese in a word of another script', 'n\u{e0100}o', 'n\\u{e0100}o'],
    ['zero width beside Thai', 'ขับ\u200b \u200bx', 'ขับ\\u{200b} \\u{200b}x'],
    ['a joiner after a pictograph that joins nothing', '👩\u200da', '👩\\u{200d}a'],
  ])('escapes %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it.each(['👩‍👩‍👧‍👦', '👩🏽‍🚒', '❤️', '🏳️‍🌈', '1️⃣', '🇩🇪', '⚠️ hot', '👍🏿'])('does not change the emoji %s', (emoji) => {
    expect(visible(emoji)).toBe(emoji);
  });

  it.each(['辻\u{e0100}さん', '葛\ufe00飾区', 'พนักงาน\u200bขับรถ', 'ໂຮງ\u200bງານ', 'កម្ម\u200bករ', 'အလုပ်\u200bရုံ'])(
    'does not change %j in its script',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );

  it('shows line ends as arrows, as escapes, or unchanged', () => {
    const text = 'a\nb\r\nc\rd\te';
    expect(visible(text)).toBe('a↵b↵c\\rd\\te');
    expect(visible(text, 'escape')).toBe('a\\nb\\r\\nc\\rd\\te');
    expect(visible(text, 'keep')).toBe('a\nb\\u{d}\nc\\u{d}d\te');
  });

  it('escapes all control characters', () => {
    const controls = [...Array(32).keys(), 127, ...Array.from({ length: 32 }, (_, at) => 128 + at)];
    expect(controls.length).toBe(65);
    for (const lineEnds of ['arrow', 'escape'] as const) {
      const shown = controls.map((code) => visible(`a${String.fromCharCode(code)}b`, lineEnds)).join('');
      expect(shown).toMatch(/^[\x20-\x7e↵]*$/);
    }
  });
});
