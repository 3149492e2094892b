import { expect, it } from 'vitest';
import { isHarmless } from '../../src/contract/harmless.ts';
import { shownBody } from '../../src/text/shown-body.ts';

const shown = (body: string, of?: 'login') => shownBody(body, (name) => isHarmless(name, of));

it.each([
  [
    'has the values of the fields of the interface, in any spelling of their names',
    '{"TotalCount":2,"items":[{"userId":"u-1","org_role":"admin","tags":["a",1]}]}',
    '{"TotalCount":2,"items":[{"userId":"u-1","org_role":"admin","tags":["a",1]}]}',
  ],
  [
    'has of any other field the name, the type and the length',
    '{"ssn":"12-3456","spin":1234,"list":["ab",{"x":1.5}],"on":true,"off":null,"e":""}',
    '{"ssn":"*** (string, 7)","spin":"*** (number, 4)","list":["*** (string, 2)",{"x":"*** (number, 3)"}],"on":true,"off":null,"e":"*** (string, 0)"}',
  ],
  [
    'has all digits of a long number, and names that are special in JavaScript',
    '{"id":12345678901234567890,"__proto__":{"name":"a"},"10":1,"2":2}',
    '{"id":12345678901234567890,"__proto__":{"name":"a"},"10":"*** (number, 1)","2":"*** (number, 1)"}',
  ],
  [
    'has no value in what a channel is configured with, whatever its name',
    '{"name":"a","config":{"name":"b","list":[{"id":1}],"on":true},"commonSettings":{"timeout":30}}',
    '{"name":"a","config":{"name":"*** (string, 1)","list":[{"id":"*** (number, 1)"}],"on":true},"commonSettings":{"timeout":"*** (number, 2)"}}',
  ],
  [
    'has no value under the name of a secret',
    '{"smtpPassword":"a","tokens":[{"id":"b"}],"apiKeys":{"main":{"name":"c"}},"tokenType":"Bearer"}',
    '{"smtpPassword":"***","tokens":[{"id":"*** (string, 1)"}],"apiKeys":{"main":{"name":"*** (string, 1)"}},"tokenType":"Bearer"}',
  ],
  [
    'has the sentences of an error, but for a field with the name of a secret',
    '{"error":{"code":"E42","message":"no"},"errors":{"channelIds[0]":["unknown"],"Password":["abc is too short"]}}',
    '{"error":{"code":"E42","message":"no"},"errors":{"channelIds[0]":["unknown"],"Password":["***"]}}',
  ],
  [
    'has of a form the harmless values',
    'grant_type=a&client_secret=b&x=1&name=c',
    'grant_type=a&client_secret=***&x=***&name=c',
  ],
  [
    'has of a plain text what has no name of its own',
    'Not now: code=E42 sid="a b" https://h/?key=c',
    'Not now: code=E42 sid=*** https://h/?key=***',
  ],
  [
    'has of a page only the title',
    '<html><title>502 Bad Gateway</title><input type="hidden" name="name" value="abc">secret</html>',
    '*** (94 characters: 502 Bad Gateway)',
  ],
  ['has nothing of a page in a text', 'no <input name=id value=abc', '*** (27 characters: a page without a title)'],
  [
    'has of XML only the message',
    '<Error><Key>a</Key><Message>Denied</Message></Error>',
    '*** (52 characters: Denied)',
  ],
  [
    'has of JSON that ends too early only where it ends',
    '{"name":"cut in the mid',
    '*** (23 characters, is not JSON: character 9, the text that begins here does not end)',
  ],
  [
    'has of other broken JSON only what is wrong',
    '[{"name":"a","id":}]',
    '*** (20 characters, is not JSON: character 19, it is neither a text in double quotes nor a number, true, false or null)',
  ],
])('a body in a trace %s', (_, body, as) => {
  expect(shown(body)).toBe(as);
});

it('hides the code and the state of a login alone', () => {
  expect(shown('code=a&state=b&iss=c')).toBe('code=a&state=b&iss=c');
  expect(shown('code=a&state=b&iss=c', 'login')).toBe('code=***&state=***&iss=c');
  expect(shown('{"error":{"code":"a"}}', 'login')).toBe('{"error":{"code":"*** (string, 1)"}}');
});
