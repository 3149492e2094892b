/** Transcripts of a shell: lines that begin with `$ ` are typed, the others are the expected output. */
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { runHere } from './here.ts';
import { openHome } from './home.ts';
import { needsShell, wordsOf } from './words.ts';

/**
 * Runs a transcript against a new sandbox, in bash with the built program as `iiot` where a line needs a shell, otherwise in this process,
 * and returns it with the actual output: stdout as it is, stderr
 * after `! `, and an exit code other than 0 as `[5]`. Comments (`# `) and empty lines are kept.
 */
export async function played(transcript: string): Promise<string> {
  // A fixed clock, so that the platform's times are always the same.
  const server = await startServer({ devices: 5, now: () => Date.UTC(2026, 0, 1, 12) });
  const env = () => ({
    IIOT_CONFIG_DIR: home.at('config'),
    IIOT_BASE_URL: server.url,
    IIOT_TENANT: ids.tenantPath,
    IIOT_APP: ids.appPath,
    IIOT_ORG: ids.root,
  });
  const home = openHome(env);
  const run = (line: string) => {
    const [, input, words] = /^(?:printf '([^'%\\]*)' \| )?iiot (.*)$/.exec(line) ?? [];
    if (words === undefined || needsShell(words)) return home.run(['/bin/bash', '-c', line]);
    return runHere(wordsOf(words), { env: env(), now: Date.now, input });
  };
  const folder = process.cwd();
  process.chdir(home.folder);
  try {
    const out: string[] = [];
    for (const line of transcript.split('\n')) {
      if (line === '' || line.startsWith('# ')) out.push(line);
      if (!line.startsWith('$ ')) continue;
      const { stdout, stderr, exit } = await run(line.slice(2));
      const errors = stderr.split('\n').map((each) => (each === '' ? '' : `! ${each}`));
      const shown = stdout.replace(/\r?\n$/, '').split('\n');
      const seen = [...shown, ...errors, exit === 0 ? '' : `[${exit}]`].filter((each) => each !== '');
      const steady = (each: string) =>
        each
          .replaceAll(new URL(server.url).host, '127.0.0.1:PORT')
          .replace(/(?<=done.* \()\d+ s(?=\)$)/, 'less than a second');
      out.push(line, ...seen.map(steady));
    }
    return out.join('\n');
  } finally {
    process.chdir(folder);
    await server.close();
    await home.leave();
  }
}
