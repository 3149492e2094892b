/** The curl line for Windows: what is typed at the prompt of cmd.exe. */
import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../../src/contract/wire.ts';
import { curlLine } from '../../src/http/curl.ts';
import { person } from '../support/world.ts';

const json = (text: string): WireRequest => ({
  method: 'PATCH',
  path: '/a%20b',
  query: [],
  body: { type: 'application/json', text },
});
const line = (request: WireRequest, headers = {}) =>
  curlLine('https://plant.example', request, { headers, platform: 'win32' }).line;
const start =
  'curl.exe --fail-with-body -X PATCH -H "Authorization: Bearer %IIOT_TOKEN%" -H "Accept: application/json"';
const end = '--globoff --path-as-is "https://plant.example/a%20b"';

describe('the curl line on Windows', () => {
  it('has double quotes, and %IIOT_TOKEN% for the token', async () => {
    const somebody = person({ system: 'win32' });
    const typed = 'policies update aaaaaaaa-0000-4000-8000-000000000001 --delay 5 --dry-run --jq .curl';
    const { stdout } = await somebody.iiot(typed.split(' '));
    somebody.leave();
    expect(stdout).toBe(
      `${start} -H "Content-Type: application/json" --data-raw "{\\"delay\\":5}" --globoff --path-as-is ` +
        '"http://127.0.0.1:1/api/v1/orgs/11111111-1111-4111-8111-111111111111/alert-policies/aaaaaaaa-0000-4000-8000-000000000001"\n',
    );
  });

  it.each([
    [
      'the signs of cmd.exe',
      '{"a":">80 & 5% | <x> ^!"}',
      '{\\"a\\":\\"\\u003e80 \\u0026 5\\u0025 \\u007c \\u003cx\\u003e \\u005e\\u0021\\"}',
    ],
    ['quotes and backslashes', '{"a":"C:\\\\new \\"x\\""}', '{\\"a\\":\\"C:\\\\new \\\\\\"x\\\\\\"\\"}'],
    ['letters beyond ASCII', '{"a":"ü😀\u200b"}', '{\\"a\\":\\"\\u00fc\\ud83d\\ude00\\u200b\\"}'],
  ])('escapes %s in JSON', (_, text, shown) => {
    expect(line(json(text))).toBe(`${start} -H "Content-Type: application/json" --data-raw "${shown}" ${end}`);
  });

  it('has a caret before signs outside of quotes', () => {
    expect(line({ method: 'PATCH', path: '/a%20b', query: [] }, { 'X-A': 'a "b & c" & d\\' })).toBe(
      `${start} -H "X-A: a \\"b ^& c\\" & d\\\\" ${end}`,
    );
  });

  it('sends any other text as base64', () => {
    const body = { type: 'text/plain', text: 'ä\n' };
    expect(line({ method: 'PATCH', path: '/a%20b', query: [], body })).toBe(
      `powershell -NoProfile -Command "$b=[Convert]::FromBase64String('w6QK');[Console]::OpenStandardOutput().Write($b,0,$b.Length)" | ` +
        `${start} -H "Content-Type: text/plain" --data-binary "@-" ${end}`.replace('"@-"', '@-'),
    );
  });
});
