import { lstatSync } from 'node:fs';
import type { Context } from '../command/context.ts';
import type { ChangeResponse } from '../command/record.ts';
import { Failure, usage } from '../failure.ts';
import { createPrivate, reserveSpace } from '../files/private-file.ts';
import type { Result } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';
import { visible } from '../text/visible.ts';

/** The request, and the file for its response. */
export type Sent = { readonly method: string; readonly path: string; readonly outputFile: string | undefined };

/** Tests that the response can be written, before anything is sent. */
export function tryOutputFile(path: string): void {
  if (path === '' || path === '-') throw usage('--output-file takes the path of a file.', 'For stdout, leave it out');
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw usage(
      `--output-file ${path} already exists and is not overwritten.`,
      'Choose another name, or remove it first',
    );
  reserveSpace(path)();
}

/** A response as the result: into the file, as JSON, or as it came. */
export function responseResult(response: ChangeResponse, { method, path, outputFile }: Sent, context: Context): Result {
  const { status, value, data, httpResponse } = response;
  const content = httpResponse?.content;
  if (value === undefined && data === undefined)
    return { kind: 'done', value: { method, path, status }, sentence: `${method} ${path} answered ${status}` };
  if (outputFile !== undefined && content) {
    createPrivate(outputFile, content);
    const bytes = content.length;
    const sentence = `Wrote ${groupDigits(bytes)} ${bytes === 1 ? 'byte' : 'bytes'} to ${outputFile}`;
    return { kind: 'done', value: { method, path, status, file: outputFile, bytes }, sentence };
  }
  if (data === undefined) return { kind: 'record', value, jsonByDefault: isUnshaped(context) };
  const isShaped = !isUnshaped(context) || context.options.jq !== undefined || context.options.columns !== undefined;
  const isTerminal = context.world.stdout.isTTY === true;
  if (typeof value !== 'string' && (isShaped || isTerminal))
    throw binary(response, isShaped ? 'formatted' : 'shown at a terminal');
  if (isShaped) return { kind: 'record', value };
  // Control characters are escaped at a terminal; a file gets the content unchanged.
  const shown = isTerminal && typeof value === 'string' && `${visible(value, 'keep').replace(/\n$/, '')}\n`;
  return { kind: 'text', text: shown || data };
}

function binary({ status, httpResponse }: ChangeResponse, what: string): Failure {
  const type = httpResponse?.masked.header('content-type') ?? 'no type';
  return new Failure('unavailable', `The response (${status}, ${type}) is binary, and cannot be ${what}.`, {
    status,
    hint: 'Save it with --output-file FILE',
  });
}

/** Whether no output format was given. */
export function isUnshaped({ options, settings }: Context): boolean {
  return options.json !== true && settings.resolved.output === undefined;
}
