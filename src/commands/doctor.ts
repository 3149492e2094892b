import { command } from '../command.ts';
import type { Context } from '../context.ts';
import type { Finding } from '../doctor/finding.ts';
import { Failure } from '../failure.ts';
import type { Result } from '../output/result.ts';
import { baseUrl } from '../target.ts';

const doctor = command({
  name: 'doctor',
  summary: 'Find what stands between this machine and a working call',
  description:
    'Looks at Node, the files, the settings, the name, the proxy, the connection, the certificate, the clocks, the login and one harmless call, ' +
    'and says of each whether it is well and what to do. Changes nothing. Ends with the code of what failed first.',
  examples: [
    { line: 'iiot doctor', says: 'Why does it not work?' },
    { line: 'iiot doctor -o json', says: 'For a bug report: it holds no secret' },
  ],
  result: {
    type: 'array',
    description: 'The findings, in the order of the checks',
    items: {
      type: 'object',
      description: 'A finding',
      properties: {
        check: { type: 'string', description: 'What was looked at' },
        status: { type: 'string', enum: ['ok', 'warning', 'failure'], description: 'How it is' },
        says: { type: 'string', description: 'What was found' },
        hint: { type: 'string', description: 'What to do' },
      },
    },
  },
  async run(_, context) {
    const findings: Finding[] = [];
    for await (const finding of examine(context)) findings.push(finding);
    return shown(findings);
  },
});

/** Every check in turn; what depends on a check that failed is not tried. */
async function* examine(context: Context): AsyncGenerator<Finding> {
  const { checkFiles, checkNode } = await import('../doctor/local.ts');
  yield* checkNode(context);
  yield* checkFiles(context);
  try {
    const base = baseUrl(context);
    const { from } = context.settings.sourced.baseUrl ?? { from: '' };
    yield { check: 'settings', status: 'ok', says: `${base} (${from})` };
    const { checkNetwork } = await import('../doctor/network.ts');
    for await (const finding of checkNetwork(context, base)) {
      yield finding;
      if (finding.status === 'failure') return;
    }
    const { checkAnswer, checkLogin } = await import('../doctor/login.ts');
    yield* checkAnswer(context, base);
    yield* checkLogin(context);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (error === context.settings.broken) return; // told among the files
    yield {
      check: checkOf(error),
      status: 'failure',
      says: error.message,
      hint: error.facts.hint ?? '',
      kind: error.kind,
    };
  }
}

function checkOf({ kind }: Failure): string {
  return kind === 'usage' ? 'settings' : kind === 'unauthenticated' ? 'login' : 'platform';
}

async function* onePage(items: readonly unknown[]) {
  yield { items, total: items.length };
}

function shown(findings: readonly Finding[]): Result {
  const first = findings.find(({ status }) => status === 'failure');
  return {
    kind: 'list',
    pages: onePage(findings.map(({ kind: _kind, ...finding }) => finding)),
    id: 'check',
    noun: 'findings',
    empty: '',
    columns: [
      { field: 'status', header: 'STATUS', keep: 'whole' },
      { field: 'check', header: 'CHECK', keep: 'whole' },
      { field: 'says', header: 'FOUND', keep: 'whole' },
      { field: 'hint', header: 'WHAT TO DO', keep: 'whole' },
    ],
    ending: async () =>
      first &&
      new Failure(first.kind ?? 'internal', `The first thing to mend: ${first.check}. ${first.says}`, {
        ...(first.hint && { hint: first.hint }),
      }),
  };
}

export const commands = [doctor];
