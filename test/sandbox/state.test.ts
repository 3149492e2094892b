import { describe, expect, it } from 'vitest';
import { createSaver, type ServerOptions, startServer } from '../../src/sandbox/server.ts';
import { restore, serialize } from '../../src/sandbox/world/state.ts';
import {
  createBrowser,
  infoOf,
  logIn,
  machineToken,
  night,
  orThrow,
  refusal,
  root,
  startPlatform,
  startWithCallers,
} from './browser.ts';

const info = infoOf('press-0001');

async function changedPlatform() {
  const started = await startWithCallers();
  const { admin, platform } = started;
  await admin.send('PUT', info, '{"__proto__":"a","none":null}');
  await admin.send('DELETE', '/api/v1/orgs/22222222-2222-4222-8222-222222222222?orgName=Line%207');
  await admin.send('POST', `/api/v1/orgs/${root}/batches`, { ...night, Actions: [{ $map: [['a', 'b']] }] });
  platform.clock.move(7_200_000);
  return started;
}

describe('the state of a sandbox', () => {
  it('is restored unchanged', async () => {
    const { platform } = await changedPlatform();
    const saved = orThrow(restore(serialize(platform)));
    expect(saved.world).toEqual(platform.world);
    expect(saved.identity.logins).toEqual(platform.identity.logins);
    expect(saved.moved).toBe(7_200_000);
    expect(saved.world.devices.get('press-0001')?.customInfo.get('__proto__')).toBe('a');
  });

  it('keeps refresh tokens valid, but no access tokens', async () => {
    const before = startPlatform({ key: new Uint8Array([1]) });
    const { accessToken, refreshToken } = await logIn(before.browse());
    const saved = orThrow(restore(serialize(before.platform)));
    const after = startPlatform({ ...saved, key: new Uint8Array([2]) });
    expect((await after.browse(accessToken).get(`/api/v1/orgs/${root}/users`)).status).toBe(401);
    const renew = () =>
      after.browse().send('POST', '/factory/console/api/v1/auth/tokens?grant_type=refresh_token', { refreshToken });
    expect((await renew()).status).toBe(200);
    expect(await refusal(await renew())).toEqual([400, 'invalid_grant']);
  });

  it('contains no token and no client secret', async () => {
    const { admin, browse, platform } = await startWithCallers();
    const { accessToken, refreshToken } = await logIn(browse());
    const created = await admin.send('POST', '/api/v1/oauth2/client-credentials', { name: 'x' });
    const { clientSecret } = (await created.json()) as { clientSecret: string };
    const text = serialize(platform);
    const secrets = [accessToken, refreshToken, clientSecret, 'sandbox-secret'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  const saved = '{"format":"iiot-sandbox","version":';
  it.each([
    ['It is not the state of a sandbox.', ['{', '{"format":"other"}']],
    ['It is the state of another version of the sandbox.', [`${saved}2}`]],
    ['It is incomplete: its accounts cannot be read.', ['', ',"accounts":[{}]'].map((more) => `${saved}1${more}}`)],
  ])('is refused with "%s" for %j', (sentence, texts) => {
    expect(texts.map(restore)).toEqual(texts.map(() => sentence));
  });
});

describe('a server that saves its state', () => {
  it('continues with the saved state', async () => {
    let file = '';
    const save = async (text: string) => {
      file = text;
    };
    const run = async (options: ServerOptions) => {
      const server = await startServer({ users: 10, devices: 3, save, ...options });
      const { access_token } = await machineToken(createBrowser(fetch, undefined, server.url));
      return { server, browser: createBrowser(fetch, access_token, server.url) };
    };
    const first = await run({});
    await first.browser.send('PUT', info, { shift: 'night' });
    await first.browser.send('POST', '/sandbox/clock', { add: 60_000 });
    await first.server.close();
    const second = await run({ saved: orThrow(restore(file)) });
    expect(second.server.platform.world.devices.get('press-0001')?.customInfo.get('shift')).toBe('night');
    expect(second.server.platform.clock.moved()).toBe(60_000);
    await second.server.close();
  });

  it('does not start if it cannot save', async () => {
    const save = () => Promise.reject(new Error('read-only'));
    await expect(startServer({ users: 1, devices: 1, save })).rejects.toThrow('read-only');
  });
});

describe('saving the state', () => {
  const saving = (write: (text: string) => unknown, text = () => '') =>
    createSaver(text, async (written) => void (await write(written)));

  it('writes several changes at once', async () => {
    const written: number[] = [];
    let value = 0;
    const saver = saving(
      (text) => void written.push(Number(text)),
      () => String(value),
    );
    for (value = 1; value <= 100; value++) saver.noteChange();
    await saver.flush();
    expect(written).toEqual([101]);
    await saver.flush();
    expect(written).toEqual([101]);
  });

  it('happens soon after a change', async () => {
    const written = new Promise<string>((resolve) => {
      saving(resolve, () => 'state').noteChange();
    });
    expect(await written).toBe('state');
  });

  it('pauses ten times as long as writing takes', async () => {
    let [time, writings] = [0, 0];
    const rests: number[] = [];
    const write = async () => {
      time += 60;
      writings += 1;
    };
    const rest = async (milliseconds: number) => {
      rests.push(milliseconds);
      if (rests.length === 2) saver.noteChange();
    };
    const saver = createSaver(() => '', write, { now: () => time, rest });
    saver.noteChange();
    await expect.poll(() => rests).toEqual([50, 600, 50, 600]);
    expect(writings).toBe(2);
  });

  it('never happens twice at the same time', async () => {
    let writing = 0;
    let most = 0;
    const saver = saving(async () => {
      most = Math.max(most, ++writing);
      await new Promise((resolve) => setTimeout(resolve, 20));
      writing--;
    });
    saver.noteChange();
    const first = saver.flush();
    saver.noteChange();
    await Promise.all([first, saver.flush()]);
    expect(most).toBe(1);
  });

  it('reports an error until writing succeeds', async () => {
    let broken = true;
    const saver = saving(() => {
      if (broken) throw new Error('disk full');
    });
    saver.noteChange();
    await expect(saver.flush()).rejects.toThrow('disk full');
    broken = false;
    saver.noteChange();
    await saver.flush();
  });
});
