import type { Context } from '../../command/context.ts';
import { formatOf } from '../../command/settings.ts';
import { Failure, usage } from '../../failure.ts';
import { codeOf } from '../../files/file-failure.ts';
import type { Result } from '../../output/result.ts';
import { startPreview } from '../../preview/server.ts';
import { untilAborted } from '../../text/abort.ts';
import type { LocalServer } from '../../web/serve.ts';
import { fileNames } from '../../working-copy/folder.ts';
import { openFrontMatter } from '../../working-copy/front-matter.ts';

type ServeInput = {
  readonly source: string;
  readonly var?: ReadonlyMap<string, string> | undefined;
  readonly port?: number | undefined;
};

/** Shows a folder in a browser until Ctrl-C. */
export async function serve(
  { source, var: values = new Map(), port = 0 }: ServeInput,
  context: Context,
): Promise<Result> {
  const frontMatter = await openFrontMatter();
  if (!fileNames(source))
    throw usage(`There is no folder ${source}.`, 'Get the templates with: iiot templates pull DIR');
  const server = await listening({ dir: source, frontMatter, values, port });
  const shown: Result =
    formatOf(context.options, context.settings) !== 'table' || context.options.jq !== undefined
      ? { kind: 'record', value: { url: server.url } }
      : { kind: 'text', text: `${server.url}\n` };
  return {
    ...shown,
    ending: async () => {
      context.notice('Open this address in a browser. Ctrl-C stops it.');
      await untilAborted(context.world.interrupt);
      await server.close();
      return context.world.interrupt.reason instanceof Failure ? context.world.interrupt.reason : undefined;
    },
  };
}

async function listening(options: Parameters<typeof startPreview>[0]): Promise<LocalServer> {
  try {
    return await startPreview(options);
  } catch (error) {
    const reason = { EADDRINUSE: 'is in use', EACCES: 'may not be used' }[codeOf(error) ?? ''];
    if (reason === undefined) throw error;
    throw usage(`--port ${options.port} ${reason}.`, 'Leave out --port to use any free one').with({ cause: error });
  }
}
