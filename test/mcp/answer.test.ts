import { expect, it } from 'vitest';
import { answerOf } from '../../src/mcp/answer.ts';

it('keeps the digits of long numbers, since a client would round them', async () => {
  const stdout = '[{"id":9007199254740993,"ratio":0.12345678901234567890,"count":12,"nested":{"__proto__":1e400}}]\n';
  const { content, structuredContent } = await answerOf({ exit: 0, stdout, stderr: '' });
  const text = '[{"id":"9007199254740993","ratio":0.12345678901234568,"count":12,"nested":{"__proto__":"1e400"}}]';
  expect(content).toEqual([{ type: 'text', text }]);
  expect(JSON.stringify(structuredContent)).toBe(`{"items":${text}}`);
});
