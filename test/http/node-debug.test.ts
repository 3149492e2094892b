import { describe, expect, it } from 'vitest';
import { openNetwork, openPooledNetwork } from '../../src/network/network.ts';

describe('a NODE_DEBUG', () => {
  it.each(['http', 'HTTP', 'net,http', 'http,net', '*', 'h*', '*tp', 'module,*'])(
    'that makes Node print headers is refused: %s',
    async (NODE_DEBUG) => {
      await expect(openNetwork({ env: { NODE_DEBUG } })).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('NODE_DEBUG'),
        facts: { hint: expect.stringContaining('Unset NODE_DEBUG') },
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
