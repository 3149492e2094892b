/** The commands of SECURITY.md that verify a release, on a release of one small file: each passes what is right, and fails what is not. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';

const home = homeForEach();
const name = 'iiot-1.0.0-linux-x64.tar.gz';
const [, page = ''] = readFileSync('SECURITY.md', 'utf8').split('\n## Verify a release\n');
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)];
const [checksum = '', signature = '', provenance = '', inside = ''] = blocks.map(([, line = '']) =>
  line.replaceAll('FILE', name),
);

const run = async (script: string) => {
  const { exit, stdout, stderr } = await home.run(['sh', '-c', `cd '${home.folder}'\n${script}`]);
  return { exit, says: stdout + stderr };
};
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

beforeEach(() => {
  home.file(name, 'an artefact');
  home.file('SHA256SUMS', `${digest('an artefact')}  ${name}\n${digest('another')}  another.deb\n`);
});

describe('the commands that verify a release', () => {
  it('are four, of which the third asks GitHub', () => {
    expect(blocks).toHaveLength(4);
    expect(provenance).toBe(`gh attestation verify ${name} --repo OWNER/REPOSITORY\n`);
  });

  it('check the checksum', async () => {
    expect(await run(checksum)).toEqual({ exit: 0, says: `${name}: OK\n` });
    home.file(name, 'an artefakt');
    const { exit, says } = await run(checksum);
    expect([exit, says]).toEqual([1, expect.stringContaining(`${name}: FAILED\n`)]);
  });

  it.skipIf(lacks('minisign'))('check the signature', async () => {
    await run(
      'minisign -G -W -p minisign.pub -s key && minisign -G -W -p other.pub -s other && minisign -S -s key -m SHA256SUMS',
    );
    expect(await run(signature)).toMatchObject({
      exit: 0,
      says: expect.stringContaining('Signature and comment signature verified'),
    });
    expect((await run(signature.replace('minisign.pub', 'other.pub'))).exit).toBe(1);
    home.file('SHA256SUMS', `${digest('an artefakt')}  ${name}\n`);
    expect((await run(signature)).exit).toBe(1);
  });

  it.skipIf(lacks('jq'))('compare the list of parts with the program', async () => {
    const { bundled } = JSON.parse((await home.iiot(['version', '-o', 'json'])).stdout);
    const write = (all: readonly { readonly name: string; readonly version: string }[]) => {
      const parts = all.map((each) => ({ purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}` }));
      home.file(
        `${name}.cdx.json`,
        JSON.stringify({ components: [{ purl: 'pkg:generic/node@26.0.0' }, { name: 'a file' }, ...parts] }),
      );
    };
    write(bundled);
    expect(await run(inside)).toEqual({ exit: 0, says: '' });
    write([...bundled.slice(1), { name: 'unheard-of', version: '1.0.0' }]);
    const { exit, says } = await run(inside);
    expect([exit, says]).toEqual([1, expect.stringMatching(/< unheard-of@1\.0\.0\n/)]);
    expect(says).toContain(`> ${bundled[0].name}@${bundled[0].version}\n`);
  });
});
