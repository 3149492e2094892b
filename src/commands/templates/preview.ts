import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Context } from '../../command/context.ts';
import { formatOf } from '../../command/settings.ts';
import { Failure, usage } from '../../failure.ts';
import type { Result } from '../../output/result.ts';
import { type PreviewOptions, startPreview } from '../../preview/server.ts';
import { untilAborted } from '../../text/abort.ts';
import { argumentForShell, optionForShell } from '../../text/shell-lines.ts';
import { visible } from '../../text/visible.ts';
import { portFailure } from '../../web/serve.ts';
import { isGood, readFileNames, readTemplateFile } from '../../working-copy/folder.ts';
import type { TemplateDocument } from '../../working-copy/template.ts';
import { describeOddBraces, fillTemplate } from '../../working-copy/variables.ts';
import { problemWords } from './folder.ts';
import { readStoredTemplate } from './stored.ts';

type PreviewInput = {
  readonly source: string;
  readonly var?: ReadonlyMap<string, string> | undefined;
  readonly serve?: boolean | undefined;
  readonly port?: number | undefined;
};

export async function runPreview(input: PreviewInput, context: Context): Promise<Result> {
  const { source } = input;
  const values = new Map([...(input.var ?? [])].map(([name, value]) => [name.normalize('NFC'), value]));
  const isTable = context.options.jq === undefined && formatOf(context.options, context.settings) === 'table';
  if (input.serve) return serve({ dir: source, values, port: input.port ?? 0 }, isTable, context);
  if (input.port !== undefined) throw usage('--port needs --serve.');
  // A word that neither looks like a path nor names a file is an ID.
  const file = /[\\/]|\.(md|markdown|html?|txt)$/i.test(source) || existsSync(source) ? source : null;
  const noFile = ' on the platform, and no such file here';
  const template = file === null ? await readStoredTemplate(source, context, noFile) : await readTemplateAt(file);
  const filled = fillTemplate(template, values);
  if (!isTable) {
    const notUnderstood = filled.notUnderstood.map(({ text }) => text);
    return {
      kind: 'record',
      value: { templateId: template.templateId, file, ...filled, notUnderstood },
      id: 'templateId',
    };
  }
  noticeVariables(filled, context);
  // Control characters are escaped at a terminal; a file gets the content unchanged.
  const { content } = filled;
  const isTerminal = context.world.stdout.isTTY === true;
  return { kind: 'text', text: isTerminal ? `${visible(content, 'keep').replace(/\n$/, '')}\n` : content };
}

async function readTemplateAt(path: string): Promise<TemplateDocument> {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) throw usage(`${path} does not exist.`, 'Give the file or the ID of a template');
  if (status.isDirectory()) {
    throw usage(`${path} is a folder.`, `See all of it with: iiot templates preview --serve ${argumentForShell(path)}`);
  }
  const file = await readTemplateFile(dirname(path), basename(path));
  if (isGood(file)) return file.template;
  throw usage(`${path}: ${problemWords(file)}.`, 'To write templates to files: iiot templates pull DIR');
}

function noticeVariables(filled: ReturnType<typeof fillTemplate>, { notice }: Context): void {
  const { subject, missing, unused, notUnderstood } = filled;
  if (subject) notice(`Subject: ${visible(subject)}`);
  if (missing.length > 0)
    notice(`Without a value: ${missing.join(', ')}. Give it with ${optionForShell('var', `${missing[0]}=VALUE`)}`);
  if (unused.length > 0) notice(`Not in the template: ${unused.map((name) => visible(name)).join(', ')}`);
  for (const odd of notUnderstood.slice(0, mostOddShown)) notice(`Left as it is, on ${describeOddBraces(odd)}`);
  if (notUnderstood.length > mostOddShown) notice(`and ${notUnderstood.length - mostOddShown} more`);
}

const mostOddShown = 10;

/** Shows a folder in a browser until Ctrl-C. */
async function serve(options: PreviewOptions, isTable: boolean, context: Context): Promise<Result> {
  const { dir, port } = options;
  if (!readFileNames(dir))
    throw usage(`The folder ${dir} does not exist.`, 'Get the templates with: iiot templates pull DIR');
  context.world.keepProgram?.();
  const server = await startPreview(options).catch((error: unknown) => {
    throw portFailure(error, port);
  });
  const { url } = server;
  const shown: Result = isTable ? { kind: 'text', text: `${url}\n` } : { kind: 'record', value: { url } };
  return {
    ...shown,
    goesOn: true,
    ending: async () => {
      context.notice('Open this address in a browser. Ctrl-C stops it.');
      await untilAborted(context.world.interrupt);
      await server.close();
      return context.world.interrupt.reason instanceof Failure ? context.world.interrupt.reason : undefined;
    },
  };
}
