/** The library entry as others meet it: through a package of that name in their node_modules. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { homeForEach } from '../support/home.ts';
import { nodeBinary } from '../support/program.ts';

const home = homeForEach();
beforeEach(() => {
  mkdirSync(home.at('node_modules'));
  symlinkSync(resolve('.'), home.at('node_modules/iiot-cli'), 'junction');
});

async function node(name: string, text: string): Promise<unknown> {
  const { stdout } = await execa(nodeBinary, [home.file(name, text)], { cwd: home.folder, extendEnv: false });
  return JSON.parse(stdout);
}

const use = `
const sandbox = await startSandbox({ users: 5, devices: 3, clock: 3_600_000, faults: ['GET /api/**=503'] });
const form = { grant_type: 'client_credentials', client_id: sandbox.client.clientId, client_secret: sandbox.client.clientSecret };
const answer = await fetch(sandbox.url + '/identity/connect/token', { method: 'POST', body: new URLSearchParams(form) });
const users = await fetch(sandbox.url + '/api/v1/orgs/' + sandbox.org + '/users');
sandbox.moveClock(-3_600_000);
const { moved, devices } = JSON.parse(sandbox.state());
const requests = sandbox.requests();
await sandbox.close();
console.log(JSON.stringify({ token: answer.status, users: users.status, moved, devices: devices.length, requests }));
`;

const shown = {
  token: 200,
  users: 503,
  moved: 0,
  devices: 15,
  requests: [
    { method: 'POST', path: '/identity/connect/token', outcome: 200 },
    { method: 'GET', path: '/api/v1/orgs/11111111-1111-4111-8111-111111111111/users', outcome: 503 },
  ],
};

describe('iiot-cli/sandbox', () => {
  it('is imported', async () => {
    expect(await node('use.mjs', `import { startSandbox } from 'iiot-cli/sandbox';${use}`)).toEqual(shown);
  });

  it('is required', async () => {
    const text = `const { startSandbox } = require('iiot-cli/sandbox');(async () => {${use}})();`;
    expect(await node('use.cjs', text)).toEqual(shown);
  });

  it('continues with a state, and reports one that is wrong', async () => {
    const text = `import { startSandbox } from 'iiot-cli/sandbox';
      const first = await startSandbox({ users: 5, devices: 1 });
      const state = first.state();
      await first.close();
      const second = await startSandbox({ state });
      const same = second.state() === state;
      await second.close();
      const wrong = [];
      for (const options of [{ state: '{}' }, { faults: ['x'] }]) await startSandbox(options).catch((error) => wrong.push(error.name + ' ' + error.message.slice(0, 47)));
      console.log(JSON.stringify({ same, wrong }));`;
    expect(await node('states.mjs', text)).toEqual({
      same: true,
      wrong: [
        expect.stringMatching(/^TypeError state: .* state of a sandbox/),
        'TypeError fault "x": A rule is [METHOD ]PATH-GLOB=STATUS|',
      ],
    });
  });

  it('has types that a strict TypeScript program accepts, and that refuse an unknown option', async () => {
    const text = `import { type Sandbox, type SandboxOptions, startSandbox } from 'iiot-cli/sandbox';
      const options: SandboxOptions = { users: 5, latency: 10, faults: ['GET /api/**=503'] };
      const sandbox: Sandbox = await startSandbox(options);
      const outcomes: (number | 'reset' | 'hang')[] = sandbox.requests().map(({ outcome }) => outcome);
      const secret: string = sandbox.client.clientSecret;
      // @ts-expect-error -- no such option
      await startSandbox({ user: 5 });
      await sandbox.close();
      export { outcomes, secret };`;
    const words = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022'.split(' ');
    const compiler = resolve('node_modules/typescript-7/bin/tsc');
    const common = text.replace('await startSandbox(options)', 'null as unknown as Sandbox').replaceAll('await ', '');
    const files = [home.file('use.mts', text), home.file('use.cts', common)];
    const { stdout } = await execa(process.execPath, [compiler, ...words, ...files], {
      cwd: home.folder,
      reject: false,
    });
    expect(stdout).toBe('');
  });
});
