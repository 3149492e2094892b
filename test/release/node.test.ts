/** The pinned Node against what Node has released, as a server of this test has it. */
import { expect, it } from 'vitest';
import { systemNames } from '../../build/release/artefacts.ts';
import { gzip, tar } from '../../build/release/files.ts';
import { compareNode, type Pinned, sha256 } from '../../build/release/node.ts';
import { madeForAll } from '../support/fixtures.ts';
import { listening } from '../support/listening.ts';

const files = new Map<string, Buffer>();
const server = madeForAll(() =>
  listening((request, response) => {
    const found = files.get(request.url ?? '');
    response.writeHead(found ? 200 : 404).end(found);
  }),
);

/** Publishes Node 1.0.0, each program being the name of its system. */
async function publish(): Promise<Pinned> {
  const sums: string[] = [];
  for (const system of systemNames) {
    const isWindows = system === 'win-x64';
    const name = isWindows ? 'win-x64/node.exe' : `node-v1.0.0-${system}.tar.gz`;
    const archive = tar([{ path: `node-v1.0.0-${system}/bin/node`, contents: system }], 0);
    const contents = isWindows ? Buffer.from(system) : await gzip(archive);
    files.set(`/v1.0.0/${name}`, contents);
    sums.push(`${sha256(contents)}  ${name}\n`);
  }
  files.set('/v1.0.0/SHASUMS256.txt', Buffer.from(sums.join('')));
  const pins = Object.fromEntries(systemNames.map((system) => [system, sha256(system)])) as Pinned['files'];
  return { version: '1.0.0', files: pins, needs: { 'linux-x64': [], 'linux-arm64': [] } };
}

it("The comparison with Node's release reports no difference for the programs of that release", async () => {
  expect(await compareNode(await publish(), server.url)).toEqual([]);
});

it("The comparison with Node's release names a different program, an unknown archive and a missing release", async () => {
  const pinned = await publish();
  const other = { ...pinned, files: { ...pinned.files, 'win-x64': sha256('other') } };
  files.set('/v1.0.0/node-v1.0.0-linux-x64.tar.gz', await gzip(''));
  expect(await compareNode(other, server.url)).toEqual([
    'node-v1.0.0-linux-x64.tar.gz is not what SHASUMS256.txt of Node says.',
    'Node for win-x64 is not the one in win-x64/node.exe.',
  ]);
  await expect(compareNode({ ...pinned, version: '2.0.0' }, server.url)).rejects.toThrow(
    `${server.url}/v2.0.0/SHASUMS256.txt answered 404`,
  );
  const nowhere = 'http://127.0.0.1:1';
  await expect(compareNode(pinned, nowhere)).rejects.toThrow(`${nowhere}/v1.0.0/SHASUMS256.txt cannot be reached`);
});
