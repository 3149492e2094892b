import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';
import ts from 'typescript';

/**
 * Writes the types of a source file beside the bundle, for other projects. The file has to declare all types that it exports itself.
 * @param source path of the file
 * @param fileName of the declarations, in the folder of the output
 */
export function declarations(source: string, fileName: string): Plugin {
  return {
    name: 'declarations',
    generateBundle() {
      const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(source, 'utf8'), {
        fileName: source,
        reportDiagnostics: true,
      });
      for (const { messageText } of diagnostics) this.error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      this.emitFile({ type: 'asset', fileName, source: outputText });
    },
  };
}
