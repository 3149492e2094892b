import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framePage } from '../../src/preview/frame.ts';

/** What stands before the rule for links and what makes the frame focusable, which come last. */
async function written(html: string): Promise<string> {
  return (await framePage('html', html)).replace(
    /\n<style>:where\(a\[data-href\]\) [^<]*<\/style>\n<body tabindex="0">\n$/,
    '',
  );
}

describe('the HTML of a preview', () => {
  it.each([
    ['<p title="a: b">a &lt; b &amp; c<br>d', '<p title="a: b">a &#60; b &#38; c<br>d</p>'],
    ['<!doctype html><h1>A</h1>', '<!doctype html><h1>A</h1>'],
    ['<a HREF = http://e.test/ target=_top>a</a>', '<a data-href="http://e.test/" target="_top">a</a>'],
    ['<svg><a xlink:href="//e.test">a</a></svg>', '<svg><a data-xlink:href="//e.test">a</a></svg>'],
    ['<svg><a>a</a><SET attributeName=href to=//e.test /></svg>', '<svg><a>a</a></svg>'],
    ['<svg><animateTransform attributeName="href" values="//e.test"/>a</svg>', '<svg>a</svg>'],
    [
      '<svg><use href="#a"/><use href="//e.test#a"/></svg>',
      '<svg><use href="#a"></use><use data-href="//e.test#a"></use></svg>',
    ],
    ['<a href="#a">a</a>', '<a data-href="#a">a</a>'],
    [
      '<img src="data:image/png;base64,AA" srcset="//e.test 2x">',
      '<img src="data:image/png;base64,AA" data-srcset="//e.test 2x">',
    ],
    ['<img src="data:text/html,a" onerror="x()">', '<img data-src="data:text/html,a" data-onerror="x()">'],
    [
      '<svg><style>&lt;a href=//e.test&gt;a { b: c }</style></svg>',
      '<svg><style>&lt;a href=//e.test&gt;a { b: c }</style></svg>',
    ],
    [
      '<style>@media (width<9px) { a > b {} } <a href=//e.test></style>',
      '<style>@media (width<9px) { a > b {} } \\3c a href=//e.test></style>',
    ],
    ['<script>a</script><!-- b --><object data="//e.test">c</object><link rel=preconnect href=//e.test>', 'c'],
    [
      '<form action="//e.test"><button formaction="//e.test">a</button></form>',
      '<form data-action="//e.test"><button data-formaction="//e.test">a</button></form>',
    ],
    ['<b x"y=1 <a=2 c=3>a', '<b c="3">a</b>'],
  ])('%s is shown as %s', async (html, shown) => {
    expect(await written(html)).toBe(shown);
  });

  it('contains only well-formed tags without links and scripts, for any input', async () => {
    const tags =
      '<a_href="//e.test"> <svg> <math> <style> </style> <title> </title> <textarea> <!-- --> <![CDATA[ ]]> <xmp> <noscript> ' +
      '<template> <set_attributeName=href_to=//e.test> &lt;a_href=//e.test&gt; <p_title=" "> \' <table> <iframe> </iframe> ' +
      '<script> </script> </ < / > \0 \f x = <a/href=//e.test/> <plaintext> </p>';
    const piece = fc.constantFrom(...tags.split(' ').map((each) => each.replaceAll('_', ' ')));
    const pieces = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
    const property = fc.asyncProperty(pieces, async (html) => {
      const tags = (await framePage('html', html)).match(/<[^\s\d=][^>]*>?/g) ?? [];
      for (const tag of tags)
        expect(tag).toMatch(/^<\/?[a-z][\w:.-]*( (?!(xlink:)?(href|src|on))[a-z][\w:.-]*="[^"<>]*")*>$/);
      expect(tags.filter((tag) => /^<(set|iframe|script)/.test(tag))).toEqual([]);
    });
    await fc.assert(property, { numRuns: 1500 });
  });

  it('is shown as text if it is longer than 100,000 characters', async () => {
    expect(await framePage('html', '<b>'.repeat(33_334))).toMatch(
      /^<!DOCTYPE html>\n<title>Text<\/title>\n<pre [^>]*>&#60;b&#62;/,
    );
    expect(await written('<b>'.repeat(33_333))).toBe(`${'<b>'.repeat(33_333)}${'</b>'.repeat(33_333)}`);
  });
});
