import type { Context } from '../command/context.ts';
import { type Change, perform } from '../command/perform.ts';
import { readJson } from '../command/read-file.ts';
import type { ObjectSchema, Schema } from '../contract/schema.ts';
import { usage } from '../failure.ts';
import type { Result } from '../output/result.ts';
import { pretty } from '../text/json-write.ts';
import { fieldsOf } from '../text/record.ts';
import { edited, requireEditor } from './editing.ts';

/** The flag of a command that lets its body be edited. */
export const editFlag = {
  type: 'boolean',
  forAgents: 'never',
  description: 'Edit the body as JSON in $VISUAL or $EDITOR before it is sent',
} as const;

type Editing = {
  /** "alert policy aaaa…" */
  readonly about: string;
  readonly schema: ObjectSchema | undefined;
  readonly unchanged: Result;
  /** @throws usage for a body that the interface is known to reject */
  readonly check: (body: object) => void;
  readonly changeOf: (body: object) => Change;
};

/** Opens what was typed as JSON, with the fields that there are as comments, and sends what is saved. */
export async function editBody(
  body: object,
  { about, schema, unchanged, check, changeOf }: Editing,
  context: Context,
): Promise<Result> {
  await requireEditor('Leave out --edit, and give the fields as options', context);
  const head = `What is stored of ${about} cannot be read: only what is written here is sent. Fields:`;
  const comments = [head, ...fieldLines(schema, '  ')].map((line) => `// ${line}\n`.replaceAll('\r', ''));
  const read = (text: string) => {
    const own = text.replace(/^[ \t]*\/\/.*$/gm, '');
    const found = own.trim() === '' ? new Map() : readJson(own, 'The text');
    if (!(found instanceof Map)) throw usage('The text must hold a JSON object.');
    if (found.size === 0) return undefined;
    check(found);
    return found as object;
  };
  const typed = fieldsOf(body).size > 0 ? body : undefined;
  const text = `${comments.join('')}${pretty(body)}\n`;
  return edited({ name: 'body.json', text, typed, mark: '//', read, unchanged }, context, (found) =>
    perform(changeOf(found), context),
  );
}

function fieldLines(schema: Schema | undefined, indent: string): readonly string[] {
  if (schema?.type !== 'object') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${indent}"${name}": ${field.description}`,
    ...fieldLines(field, `${indent}  `),
  ]);
}
