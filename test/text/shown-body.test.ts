import { expect, it } from 'vitest';
import { isHarmless } from '../../src/contract/harmless.ts';
import { shownBody } from '../../src/text/shown-body.ts';

const shown = (body: string, of?: 'login') => shownBody(body, (name) => isHarmless(name, of));

it.each([
  [
    'has the values of fields of the interface in any spelling of their names',
    '{"TotalCount":2,"items":[{"userId":"u-1","org_role":"admin","tags":["a",1]}]}',
    '{"TotalCount":2,"items":[{"userId":"u-1","org_role":"admin","tags":["a",1]}]}',
  ],
  [
    'has only name, type and length of other fields',
    '{"ssn":"12-3456","spin":1234,"list":["ab",{"x":1.5}],"on":true,"off":null,"e":""}',
    '{"ssn":"*** (string, 7)","spin":"*** (number, 4)","list":["*** (string, 2)",{"x":"*** (number, 3)"}],"on":true,"off":null,"e":"*** (string, 0)"}',
  ],
  [
    'keeps long numbers and names such as __proto__',
    '{"id":12345678901234567890,"__proto__":{"name":"a"},"10":1,"2":2}',
    '{"id":12345678901234567890,"__proto__":{"name":"a"},"10":"*** (number, 1)","2":"*** (number, 1)"}',
  ],
  [
    'has no values of the configuration of a channel',
    '{"name":"a","config":{"name":"b","list":[{"id":1}],"on":true},"commonSettings":{"timeout":30}}',
    '{"name":"a","config":{"name":"*** (string, 1)","list":[{"id":"*** (number, 1)"}],"on":true},"commonSettings":{"timeout":"*** (number, 2)"}}',
  ],
  [
    'has no values under names of secrets',
    '{"smtpPassword":"a","tokens":[{"id":"b"}],"apiKeys":{"main":{"name":"c"}},"tokenType":"Bearer"}',
    '{"smtpPassword":"***","tokens":[{"id":"*** (string, 1)"}],"apiKeys":{"main":{"name":"*** (string, 1)"}},"tokenType":"Bearer"}',
  ],
  [
    'has error messages, except for fields with names of secrets',
    '{"error":{"code":"E42","message":"no"},"errors":{"channelIds[0]":["unknown"],"Password":["abc is too short"]}}',
    '{"error":{"code":"E42","message":"no"},"errors":{"channelIds[0]":["unknown"],"Password":["***"]}}',
  ],
  [
    'has only the harmless values of a form',
    'grant_type=a&client_secret=b&x=1&name=c',
    'grant_type=a&client_secret=***&x=***&name=c',
  ],
  [
    'has no named values of plain text',
    'Not now: code=E42 sid="a b" https://h/?key=c',
    'Not now: code=E42 sid=*** https://h/?key=***',
  ],
  [
    'has only the title of a page',
    '<html><title>502 Bad Gateway</title><input type="hidden" name="name" value="abc">secret</html>',
    '*** (94 characters: 502 Bad Gateway)',
  ],
  [
    'has nothing of a page without a title',
    'no <input name=id value=abc',
    '*** (27 characters: a page without a title)',
  ],
  [
    'has only the message of XML',
    '<Error><Key>a</Key><Message>Denied</Message></Error>',
    '*** (52 characters: Denied)',
  ],
  [
    'has only the place of the error in incomplete JSON',
    '{"name":"cut in the mid',
    '*** (23 characters, is not JSON: character 9, the text that begins here does not end)',
  ],
  [
    'has only the reason of the error in other invalid JSON',
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
