import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readProblem } from '../../src/network/problem.ts';
import { expectLinear } from '../support/linear.ts';

const long = 'x'.repeat(10_000);
const complaints = [
  { message: 'is too long', members: ['name', 'subject'] },
  { message: 'odd', members: [] },
  ...[{ message: 'none' }, { members: ['x'] }, null, 5],
];
const named = (field: string, message: string) => ({ field, message });
const ofRfc9457 = [{ detail: 'is odd', pointer: '#/name' }, { message: 'x' }, 'words', null, {}];
const ofPydantic = [
  { loc: ['body', 'notification', 'subject'], msg: 'field required', type: 'value_error.missing' },
  { loc: ['query', 'orgRole', 0], msg: 'unexpected value' },
  ...[
    { loc: [], msg: 'odd' },
    { loc: 'x', type: 'y' },
  ],
];
const faults = [{ code: 'X', target: 'delay', message: 'is negative' }];
const forms: readonly (readonly [string, unknown, object])[] = [
  ['ABP', { error: { code: 'A1', message: 'Bad!', details: 'Taken.', validationErrors: null } }, said('Bad! Taken.')],
  [
    'ABP with fields',
    { error: { message: 'Not valid', validationErrors: complaints } },
    said(
      'Not valid',
      named('name', 'is too long'),
      named('subject', 'is too long'),
      ...[{ message: 'odd' }, { message: 'none' }, named('x', 'is not valid')],
    ),
  ],
  ['ABP with repeated words', { error: { message: 'A: b', details: 'b' } }, said('A: b')],
  [
    'problem details',
    {
      ...{ type: 'about:blank', title: 'Not valid.', status: 400, traceId: '00-1' },
      errors: { Name: ['is required', 'is short'], '$.delay': ['is no number'], '': ['odd'] },
    },
    {
      ...said('Not valid.', named('Name', 'is required'), named('Name', 'is short'), named('delay', 'is no number'), {
        message: 'odd',
      }),
      id: '00-1',
    },
  ],
  ['problem details with a detail', { title: 'Conflict', detail: 'It exists.' }, said('It exists.')],
  ['a code with its words', { code: 'E1', msg: 'Too hot' }, said('Too hot')],
  ['words under another name', { errorMessage: 'Too hot' }, said('Too hot')],
  [
    'problem details with a list',
    { title: 'Bad', errors: ofRfc9457 },
    said('Bad', named('name', 'is odd'), { message: 'x' }, { message: 'words' }),
  ],
  ['OAuth', { error: 'invalid_client', error_description: 'It has expired.' }, said('It has expired.')],
  ['OAuth without words', { error: 'invalid_client' }, said('invalid_client')],
  ['ModelState', { Message: 'Bad.', ModelState: { 'a.Name': ['is odd'] } }, said('Bad.', named('a.Name', 'is odd'))],
  ['fields alone', { Name: ['is required'] }, said(undefined, named('Name', 'is required'))],
  ['a list of complaints', [{ code: 'Short', description: 'Too short.' }], said(undefined, { message: 'Too short.' })],
  ['a list of messages', { message: ['a is odd', 'b is odd'] }, said('a is odd; b is odd')],
  ['a message that is null', { error: { code: 'X', message: null } }, said('X')],
  ['a message that is a number', { message: 5 }, {}],
  ['a message that is an object', { message: { a: 1 }, error: null }, {}],
  ['an endless message', { message: long }, said(`${'x'.repeat(8192)}…`)],
  [
    'endless fields',
    { errors: { name: Array.from({ length: 500 }, () => 'odd') } },
    said(undefined, ...Array.from({ length: 100 }, () => named('name', 'odd'))),
  ],
  ['FastAPI', { detail: 'Alert policy not found' }, said('Alert policy not found')],
  [
    'FastAPI with fields',
    { detail: ofPydantic },
    said(undefined, named('subject', 'field required'), named('orgRole', 'unexpected value'), { message: 'odd' }),
  ],
  [
    'FastAPI with an object',
    { detail: { code: 'E7', message: 'The batch exists.', errors: [named('Name', 'is taken')] } },
    said('The batch exists.', named('Name', 'is taken')),
  ],
  ['words beside an object', { message: 'Too hot', detail: { level: 5 } }, said('Too hot')],
  ['Joi', { message: 'Bad', details: [{ message: 'is odd', path: ['a'] }] }, said('Bad', named('a', 'is odd'))],
  ['express-validator', { errors: [{ msg: 'odd', param: 'a', location: 'body' }] }, said(undefined, named('a', 'odd'))],
  ['Bean Validation', { title: 'Bad', violations: [named('a', 'is odd')] }, said('Bad', named('a', 'is odd'))],
  ['Azure', { error: { message: 'Two.', details: faults } }, said('Two.', named('delay', 'is negative'))],
  [
    'FluentValidation',
    [{ propertyName: 'Name', errorMessage: 'is too long', attemptedValue: 'x' }],
    said(undefined, named('Name', 'is too long')),
  ],
  [
    'the example of RFC 7807',
    { title: 'Not valid', 'invalid-params': [{ name: 'delay', reason: 'must be positive' }] },
    said('Not valid', named('delay', 'must be positive')),
  ],
  ['a JSON text', 'Not now', said('Not now')],
  ['a number', 5, {}],
  ['null', null, {}],
  ['an empty object', {}, {}],
  [
    'names that every object has',
    JSON.parse('{"__proto__":{"message":"x"},"constructor":["y"]}'),
    said(undefined, named('constructor', 'y')),
  ],
];

/** What is read: a sentence, and what is said of fields. */
function said(message?: string, ...details: readonly object[]) {
  return { ...(message !== undefined && { message }), details };
}

it.each(forms)('the words of an error are read from %s', (_, value, problem) => {
  expect(readProblem(JSON.stringify(value), 'application/json')).toEqual({ details: [], ...problem });
});

const texts: readonly (readonly [string, string, string, object])[] = [
  ['plain words', 'Bad Request', 'text/plain', { message: 'Bad Request' }],
  ['words declared as JSON', 'Bad Request', 'application/json', { message: 'Bad Request' }],
  [
    'words on two lines',
    'Not empty.\r\nDelete its devices first',
    'text/plain',
    { message: 'Not empty.\r\nDelete its devices first' },
  ],
  ['words above a stack', 'Too hot\n   at Press.Check() in Press.cs:line 3', 'text/plain', { message: 'Too hot' }],
  ['words above a blank line', 'Too hot\n\nHEADERS\nAuthorization: x', 'text/plain', { message: 'Too hot' }],
  ['words after a code in brackets', '[ORG-17] Not empty', 'text/plain', { message: '[ORG-17] Not empty' }],
  ['words after a code in braces', '{17} Not empty', 'text/plain', { message: '{17} Not empty' }],
  ['words after an ID in angle brackets', '<org-1> is not empty', 'text/plain', { message: '<org-1> is not empty' }],
  ['a page declared as plain text', '<html><h1>Gate</h1>', 'text/plain', { message: 'Gate' }],
  ['endless words', long, 'text/plain', { message: `${'x'.repeat(8192)}…` }],
  ['half a JSON', '{"error":{"message":"Not va', 'application/json', {}],
  ['a byte order mark', '\ufeff{"message":"x"}', 'application/json', { message: 'x' }],
  [
    'a page',
    '<html><head><title> 502\n Bad  Gateway </title></head><body>secret</body></html>',
    'text/html',
    { message: '502 Bad Gateway' },
  ],
  ['a page with a heading alone', '<h1 class="a">Forbidden</h1>', 'text/html', { message: 'Forbidden' }],
  ['a page without a heading', '<p>hello</p>', 'text/html', {}],
  ['words declared as a page', 'hello', 'text/html', { message: 'hello' }],
  [
    'the XML of an API gateway',
    '<?xml version="1.0"?>\n<Error><Code>Denied</Code><Message>No key &amp; no\n right</Message></Error>',
    'application/xml',
    { message: 'No key & no right' },
  ],
  ['XML without a declaration', '<Error><Message>Denied</Message></Error>', 'text/xml', { message: 'Denied' }],
  [
    'a fault of SOAP',
    '<s:Envelope xmlns:s="x"><s:Fault><faultcode>a</faultcode><faultstring xml:lang="en"><![CDATA[Not now]]></faultstring></s:Fault></s:Envelope>',
    'text/xml',
    { message: 'Not now' },
  ],
  [
    'a fault of SOAP 1.2',
    '<e:Envelope><e:Reason><e:Text xml:lang="en">Not now</e:Text></e:Reason></e:Envelope>',
    'application/soap+xml',
    { message: 'Not now' },
  ],
  [
    'a page in XML',
    '<?xml version="1.0"?><html><title>Gate</title><message>x</message>',
    'application/xhtml+xml',
    { message: 'Gate' },
  ],
  ['XML', '<?xml version="1.0"?><Error><Code>Denied</Code></Error>', 'application/xml', {}],
  ['blanks', ' \r\n', '', {}],
];

it.each(texts)('the words of an error are read from a text: %s', (_, text, type, problem) => {
  expect(readProblem(text, type)).toEqual({ details: [], ...problem });
});

it('the words of an error are read in linear time', async () => {
  expect(readProblem(JSON.stringify({ error: { message: 'x'.repeat(5_000_000) } }), '').message?.length).toBe(8193);
  expect(readProblem(`${'{"error":'.repeat(100_000)}1${'}'.repeat(100_000)}`, '').details).toEqual([]);
  const blanks = (length: number) => `{"message":"${' .'.repeat(length)}x","detail":"y"}`;
  await expectLinear(blanks, 1_000_000, (text) => expect(readProblem(text, '').details).toEqual([]));
});

it('the words of any error are read without a failure, and are short enough to be shown', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ error: value, errors: value, validationErrors: value })),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom('application/json', 'text/html', ''), (text, type) => {
      const { message, details, id } = readProblem(text, type);
      for (const each of [message, id, ...details.flatMap((detail) => [detail.field, detail.message])]) {
        if (each === undefined) continue;
        expect(typeof each).toBe('string');
        expect(each.length).toBeLessThan(8200);
      }
    }),
    { numRuns: 500 },
  );
});
