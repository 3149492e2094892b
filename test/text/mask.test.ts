import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMask } from '../../src/text/mask.ts';
import { inHtml, inJson, spellings } from '../support/canary.ts';
import { expectLinear } from '../support/linear.ts';

const harmless = new Set(['maxResultCount', 'name']);

function knowing(...secrets: readonly string[]) {
  const mask = createMask(harmless);
  for (const secret of secrets) mask.remember(secret);
  return mask;
}

const secrets = fc
  .string({ unit: 'grapheme', minLength: 8, maxLength: 40 })
  .filter((text) => !/\p{Surrogate}/u.test(text) && text.trim().length >= 8);
const around = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => text.replace(/[%\\&]/g, '.'));

for (const [how, spell] of Object.entries(spellings)) {
  it(`hides a secret that is written ${how}`, () => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        const mask = knowing(secret);
        const written = spell(secret);
        // What stands around may hold a part of the secret by chance, never the whole of it again.
        fc.pre(!before.includes(written) && !after.includes(written));
        expect(mask.text(`${before} ${written} ${after}`)).not.toContain(written);
      }),
      { numRuns: 30 },
    );
  });
}

it('hides a secret inside longer base64 at each of three offsets', () => {
  const mask = knowing('correct-horse-battery');
  const shown = ['ada', 'adam', 'adams'].map((user) =>
    mask.text(Buffer.from(`${user}correct-horse-battery!`).toString('base64')),
  );
  expect(shown).toEqual(['YWRh***IQ==', 'YWRhbW***SE=', 'YWRhbXN***kh']);
});

it.each(['pass&word+%20"word', 'C:\\new&"folder', 'a&lt;b&gt;c&d;long', '%2525&%2525&%25%25'])(
  'hides the secret %s in HTML and in HTML inside JSON',
  (secret) => {
    const mask = knowing(secret);
    expect(mask.text(`<b>${inHtml(secret)}</b>`)).toBe('<b>***</b>');
    expect(mask.text(`"${inJson(inHtml(secret))}"`)).toBe('"***"');
  },
);

it.each([
  ['the token correct-horse-\n  battery is wrong', '***'],
  ['{"id":1,"message":"the token correct-\\nhorse-\\nbattery"}', '{"id":1,"message":"***"}'],
  ['"correct-\\r\\nhorse-\\r\\nbattery"', '"***"'],
  ['correct-horse=\r\n-battery=\r\n.', '***'],
  ['Y29ycmVjdC1ob3\r\n JzZS1iYXR0ZXJ5', '***'],
  ['c o r r e c t - h o r s e - b a t t e r y', '***'],
])('hides a secret that is split over lines: %j', (text, shown) => {
  const mask = knowing('correct-horse-battery');
  expect(mask.text(text)).toBe(shown);
});

it('does not hide other words that consist of the same letters', () => {
  const mask = knowing('into', 'air plane');
  expect(mask.text('in to an airplane, into an air plane')).toBe('in to an airplane, *** an ***');
  expect(mask.text('an air\nplane')).toBe('***');
});

it.each([
  ['is as long as a header may be', 'aZ3-'.repeat(4096)],
  ['is chosen to take long', `${'\\'.repeat(40)}x${'%25'.repeat(40)}`],
])('hides a secret that %s, in linear time', async (_, secret) => {
  const mask = knowing(secret);
  for (const [how, spell] of Object.entries(spellings))
    expect([how, mask.text(`<${spell(secret)}>`)]).toEqual([how, expect.stringMatching(/^<?\\*\*\*\*=*>?$/)]);
  const hostile = (length: number) => `${'\\'.repeat(length)}%${'25'.repeat(length)}`;
  await expectLinear(hostile, 30_000, (text) => expect(mask.text(text)).not.toContain(secret));
});

it('hides the longer of two secrets with the same beginning', () => {
  const mask = knowing('tok_abc', 'tok_abcdef');
  expect(mask.text('sent tok_abcdef and tok_abc')).toBe('sent *** and ***');
});

it('leaves secrets that are plain words in sentences of this tool', () => {
  const mask = knowing('password', 'Wrong', 'pass word', 'passw0rd', 'correcthorsebattery', 'ünlü');
  expect(
    mask.sentence(
      'Wrong account or password: pass word, passw0rd, correcthorsebattery, ünlü, Basic cGFzc3dvcmQ6dGVzdA==',
    ),
  ).toBe('Wrong account or password: ***, ***, ***, ***, Basic ***');
  expect(mask.text('Wrong account or password')).toBe('*** account or ***');
});

it('does not change text without secrets', () => {
  const mask = knowing('s3cr3t');
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/bearer|basic/i.test(text)),
      (text) => {
        fc.pre(!Object.values(spellings).some((spell) => text.includes(spell('s3cr3t'))));
        expect(mask.text(text)).toBe(text);
      },
    ),
  );
});

it.each([...Object.entries(spellings)])('shows no part of a secret that is cut, %s', (_, spell) => {
  const secret = 'red horse/"x';
  const mask = knowing(secret);
  const written = spell(secret);
  const cuts = Array.from({ length: written.length - 1 }, (_, at) => mask.text(`:${written}:`, at + 2));
  expect(cuts.filter((shown) => !/^:?\*\*\*=*$/.test(shown))).toEqual([]);
});

it('cuts a body full of secrets before it hides them', () => {
  const mask = knowing('opaque-token-0123456789');
  expect(mask.text('opaque-token-0123456789 '.repeat(1000), 1000)).toBe('*** '.repeat(42).trimEnd());
});

it.each([
  ['%25', 100_000],
  ['\\', 200_000],
  ['25', 200_000],
  ['é', 100_000],
  ['c \n', 100_000],
  ['&amp;amp;', 50_000],
  ['eyJaaaaaaaa-', 20_000],
  ['-eyJ', 60_000],
  ['eyJaaaaaaaa.', 20_000],
  ['_eyJ-', 50_000],
])('searches a text of %j in linear time', (piece, times) => {
  const mask = knowing('correct horse\\\\\\battery %25%25%25"staple');
  return expectLinear((length) => `%${piece.repeat(length)}`, times, mask.text);
});

it.each([
  ['token-eyJhbGciOiJI.eyJzdWIiOiJh.c2lnbmF0dXJl.', 'token-***'],
  ['a.long-first-part.eyJhbGciOiJI.eyJzdWIiOiJh, and more', 'a.long-first-part.***, and more'],
  ['eyJhbGciOiJI is no token', 'eyJhbGciOiJI is no token'],
])('hides an unknown token at any place: %s', (text, shown) => {
  expect(createMask(harmless).text(text)).toBe(shown);
});

it.each([
  ['https://p/x?maxResultCount=50&name=Ada', 'https://p/x?maxResultCount=50&name=Ada'],
  ['https://p/x?token=abc&maxResultCount=5', 'https://p/x?token=***&maxResultCount=5'],
  ['/x#access_token=abc&name=b', '/x#access_token=***&name=b'],
  ['/x;sid=2?a=1;b=2', '/x;sid=***'],
  ['https://ada:word@p/x@y?name=a@b', 'https://***@p/x@y?name=a@b'],
  ['\\\\ada@p\\x', '\\\\***@p\\x'],
])('hides the user and unknown query values of a URL: %s', (url, shown) => {
  expect(createMask(harmless).url(url)).toBe(shown);
});

it('shows only harmless headers of a request', () => {
  const mask = createMask(harmless);
  const shown = ['accept', 'If-Match', 'x-request-id', 'x-key', 'apikey', 'x-tenant'].map((name) =>
    mask.header(name, 'a value', 'request'),
  );
  expect(shown).toEqual(['a value', 'a value', 'a value', '***', '***', '***']);
});

it('hides headers with credentials, and query values in other headers', () => {
  const mask = createMask(harmless);
  const shown = [
    ['Authorization', 'Bearer abc'],
    ['Cookie', 'a=b'],
    ['set-cookie', 'a=b; Path=/'],
    ['Proxy-Authorization', 'Basic abc'],
    ['location', 'https://ada:word@p/cb?code=abc'],
    ['content-type', 'application/json; charset=utf-8'],
  ].map(([name = '', value = '']) => mask.header(name, value, 'response'));
  expect(shown).toEqual(['***', '***', '***', '***', 'https://***@p/cb?code=***', 'application/json; charset=utf-8']);
});
