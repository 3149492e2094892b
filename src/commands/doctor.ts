import { command, type Groups, refusals } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { withPlace } from '../command/line.ts';
import { baseUrl } from '../command/target.ts';
import { list, record, text, textOrNull } from '../contract/shared.ts';
import { type Finding, failed, ok } from '../doctor/finding.ts';
import { Failure, type FailureKind } from '../failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import type { Page, ScreenOptions } from '../output/result.ts';
import { wrapWords } from '../output/text-width.ts';
import { capitalized } from '../text/capitalized.ts';
import { visible } from '../text/visible.ts';

const doctor = command({
  name: 'doctor',
  shell: { ends: refusals },
  reach: 'organization',
  summary: 'Check the setup and the connection',
  description:
    'Checks Node, the locale, the files, the settings, the client certificate, the host name, the proxy, the connection, the certificate, the clocks ' +
    'and the login, makes one test call, and says for each what is wrong and what to do. Changes nothing. The exit code is that of the ' +
    'first failure.',
  examples: {
    'iiot doctor': 'Why does it not work?',
    'iiot doctor -o json': 'For a bug report: it holds no secret',
  },
  result: list(
    'The findings, in the order of the checks',
    record('A finding', {
      check: text('What was checked'),
      status: text('Status', { enum: ['ok', 'warning', 'failure'] }),
      message: text('What was found'),
      hint: textOrNull('What to do'),
    }),
  ),
  async run(_, context, groups) {
    const findings: Finding[] = [];
    return {
      kind: 'list',
      pages: yieldFindings(findings, context, groups),
      id: 'check',
      noun: 'findings',
      empty: '',
      columns: [
        { field: 'status', header: 'STATUS', keep: 'whole' },
        { field: 'check', header: 'CHECK', keep: 'whole' },
        { field: 'message', header: 'FOUND', keep: 'long' },
        { field: 'hint', header: 'WHAT TO DO', keep: 'long' },
      ],
      screen: (finding, options) => findingLines(finding as Finding, options), // the items of the pages
      ending: async () => failureOfChecks(findings),
    };
  },
});

/** Yields each finding as soon as its check is done, and collects all in `findings`. */
async function* yieldFindings(findings: Finding[], context: Context, groups: Groups): AsyncGenerator<Page> {
  const wait = context.waiting.begin('Checking the connection and the login');
  try {
    for await (const { hint, ...found } of runChecks(context)) {
      const advice = await withPlace(withoutDoctor(hint), groups, context.options);
      findings.push({ ...found, hint: advice });
      const { kind: _kind, ...shown } = found;
      yield { items: [{ ...shown, hint: advice || null }] };
    }
  } finally {
    wait.end();
  }
}

/** Removes the advice to run this command from a hint: "…; to find the cause, run: iiot doctor". */
export function withoutDoctor(hint = ''): string {
  return hint.replace(/([;.] |^|,)?(to find the cause, run|see)?:? ?iiot doctor( shows[^;.]*)?/gi, '').trim();
}

/** Runs the checks in order, without those that depend on a failed one. */
async function* runChecks(context: Context): AsyncGenerator<Finding> {
  const { checkFiles, checkLocale, checkNode } = await import('../doctor/local.ts');
  yield* checkNode(context);
  yield* checkLocale(context);
  yield* checkFiles(context);
  try {
    const base = baseUrl(context);
    const { from } = context.settings.resolved.baseUrl ?? { from: '' };
    yield ok('settings', `${base} (${from})`);
    const { readOnly } = context.settings;
    if (readOnly) yield ok('read_only', `Read-only: every change is refused (${readOnly})`);
    const { checkClientCertificate, checkNetwork } = await import('../doctor/network.ts');
    yield* checkClientCertificate(context);
    if (context.settings.stored.secretCommand)
      yield (await import('./secret-command.ts')).checkProgram(context.settings.stored.secretCommand, context);
    for await (const finding of checkNetwork(context, base)) {
      yield finding;
      if (finding.status === 'failure') return;
    }
    const { checkResponse, checkLogin } = await import('../doctor/login.ts');
    yield* checkResponse(context, base);
    yield* checkLogin(context);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (error === context.settings.broken) return; // already reported by the check of the files
    const { cause, hint: usualHint = '' } = error.facts;
    const isUnencrypted = context.settings.resolved.baseUrl?.value.startsWith('http:') === true;
    // Servers that speak TLS close a connection that does not.
    const isCutOff = isUnencrypted && cause instanceof ConnectionLost && cause.code === 'ECONNRESET';
    const hint = isCutOff ? 'Try again, and check whether the base URL should start with https://' : usualHint;
    yield failed(checksByKind[error.kind] ?? 'platform', error.kind, error.message, hint);
  }
}

const checksByKind: Readonly<Partial<Record<FailureKind, string>>> = { usage: 'settings', unauthenticated: 'login' };

const signs = { ok: ['✓', 'good'], warning: ['!', 'caution'], failure: ['✗', 'bad'] } as const;

/** `✓ Login: ada@factory.example (profile)`, with the hint below it, indented. */
function findingLines({ status, check, message, hint }: Finding, { paint, columns }: ScreenOptions): string {
  const [sign, color] = signs[status];
  // The name of the check comes first unless the sentence contains it.
  const isNamed = message.toLowerCase().replaceAll(/[- ]/g, '_').includes(check) || message.startsWith('Connected');
  const sentence = isNamed
    ? capitalized(message)
    : `${capitalized(check.replaceAll('_', ' '))}: ${message.replace(/^(It|A|Cannot) /, (word) => word.toLowerCase())}`;
  const lines = [sentence, ...(hint ? [hint] : [])].flatMap((text) => wrapWords(visible(text), columns - 2));
  return `${paint[color](sign)} ${lines.join('\n  ')}`;
}

function failureOfChecks(findings: readonly Finding[]): Failure | undefined {
  const failed = findings.filter(({ status }) => status === 'failure');
  const [first] = failed;
  if (!first) return undefined;
  const names = failed.map(({ check }) => check).join(', ');
  // The findings have the details, in every format.
  const sentence = `${failed.length === 1 ? '1 check' : `${failed.length} checks`} failed: ${names}.`;
  return new Failure(first.kind ?? 'internal', sentence, { hint: '' });
}

export const commands = [doctor];
