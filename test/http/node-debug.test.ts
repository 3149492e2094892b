import { describe, expect, it } from 'vitest';
import { openNetwork, openPooledNetwork } from '../../src/network/network.ts';

describe('a NODE_DEBUG', () => {
  it.each(['http', 'HTTP', 'net,http', 'http,net', '*', 'h*', '*tp', 'module,*'])(
    'that makes Node print headers is refused: %s',
    async (NODE_DEBUG) => {
      await expect(openNetwork({ env: { NODE_DEBUG } })).rejects.toMatchObject({
        kind: 'usage',
        message: 'NODE_DEBUG is set so that Node prints headers, and the access token with them.',
        facts: { hint: 'Unset NODE_DEBUG; --debug shows requests and responses with secrets masked' },
      });
    },
  );

  it.each(['', 'net', 'https', 'http2', 'undici,fetch,tls', 'ht.p', 'net*'])(
    'that prints no headers is accepted: %s',
    async (NODE_DEBUG) => {
      await expect(openNetwork({ env: { NODE_DEBUG } })).resolves.toBeTypeOf('function');
    },
  );

  it('is accepted by a pool, which prints no headers', async () => {
    await expect(openPooledNetwork({ env: { NODE_DEBUG: '*' } })).resolves.toBeDefined();
  });
});
