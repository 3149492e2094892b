/** A process of its own that opens the store of IIOT_CONFIG_DIR, does what its arguments say, and tells how it went as one JSON line. */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/failure.ts';
import { newOwnerName } from '../../src/files/owner.ts';
import { loginLockKey } from '../../src/store/keys.ts';
import { openStore, type Store } from '../../src/store/store.ts';

const warnings: string[] = [];
const { env, platform } = process;
const store = openStore({
  env,
  platform,
  homedir,
  now: Date.now,
  warn: (line) => warnings.push(line),
  uid: process.getuid?.(),
});

const say = (line: string) => process.stdout.write(`${line}\n`);

const deeds: Record<string, (...words: string[]) => unknown> = {
  set: (name = '', tenant = '') => setTenant(name, tenant),
  async setMany(prefix = '', count = '', barrier = '') {
    while (!existsSync(barrier)) await sleep(5);
    for (let turn = 0; turn < Number(count); ) {
      // On a busy machine, its turn may not come in time; then it asks again.
      const changed = await setTenant(`${prefix}-${turn}`, `${turn}`).then(() => true, isLate);
      if (changed) turn += 1;
    }
  },
  async setForEver() {
    for (let turn = 0; ; turn += 1) {
      const text = `${turn}`.repeat(1 + (turn % 3000));
      await store.changeConfig(() => ({
        version: 1,
        current: text,
        profiles: { one: { tenant: text }, two: { app: text } },
      }));
      if (turn === 0) say('ready');
    }
  },
  locked: (name = '') => store.withLock(name, async () => 'done', { wait: 60_000 }),
  hold: (name = '') => store.withLock(name, holdForEver, { wait: 60_000 }),
  async insideAndDie(name = '', marker = '', barrier = '') {
    while (!existsSync(barrier)) await sleep(5);
    for (let turn = 0; turn < 10; turn += 1) await alone(name, marker, turn === 9);
  },
  async insideAndForge(name = '', marker = '', locks = '') {
    for (let turn = 0; turn < 25; turn += 1) {
      await alone(name, marker, false);
      forgeDeadOwner(locks, loginLockKey(name));
    }
  },
};

// As if a process had died in the lock, without the time that it takes to start one.
function forgeDeadOwner(locks: string, key: string): void {
  const dead = newOwnerName().replace(/^\d+/, '4194399');
  const claim = join(locks, `forged-${dead}`);
  mkdirSync(claim);
  writeFileSync(join(claim, dead), '');
  try {
    renameSync(claim, join(locks, key));
  } catch {
    rmSync(claim, { recursive: true }); // somebody is inside already
  }
}

function holdForEver(): Promise<never> {
  say(`held ${process.pid}`);
  return new Promise(() => setInterval(() => {}, 1000));
}

async function alone(name: string, marker: string, last: boolean): Promise<void> {
  const work = async () => {
    mkdirSync(marker); // fails where another is inside
    await setImmediate();
    rmdirSync(marker);
    if (!last) return;
    say('dying alone');
    process.kill(process.pid, 'SIGKILL');
    await sleep(60_000);
  };
  await store.withLock(name, work, { wait: 100_000 });
}

function isLate(error: unknown): false {
  if (error instanceof Failure && error.kind === 'unavailable') return false;
  throw error;
}

function setTenant(name: string, tenant: string): ReturnType<Store['changeConfig']> {
  return store.changeConfig((config) => ({ ...config, profiles: { ...config.profiles, [name]: { tenant } } }));
}

const [deed = '', ...words] = process.argv.slice(2);
void Promise.resolve(deeds[deed]?.(...words)).then((result = null) => say(JSON.stringify({ result, warnings })));
