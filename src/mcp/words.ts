/** A command speaks of its options, and a tool has inputs: "--page-size" is "pageSize" there. */
import type { Tool } from './tools.ts';

export type Wording = {
  /** For a sentence: the input's name between quotes. */
  readonly sentence: (text: string) => string;
  /** For a field that names one. */
  readonly name: (option: string) => string;
};

/** How the options and arguments of a tool's command are called among its inputs. What is no input keeps its name: it is for the person. */
export function wordingOf({ name, command, fields }: Pick<Tool, 'name' | 'command' | 'fields'>): Wording {
  const names = new Map<string, string>();
  for (const [field, kind] of Object.entries(fields)) {
    if (kind.kind === 'argument') names.set(`<${field}>`, field);
    else names.set(`--${kind.option.long}`, field);
    const negative = kind.kind === 'option' && kind.option.schema.type === 'boolean' && kind.option.schema.negative;
    if (negative) names.set(`--${negative}`, field);
  }
  return {
    sentence: (text) =>
      text
        .replaceAll(`iiot ${command.name} --help`, `the input schema of ${name}`)
        .replace(insteadByForce, '')
        .replace(/(?<![\w-])--[a-z][a-z0-9-]*|<\w+>/g, (word) => {
          const field = names.get(word);
          return field === undefined ? word : `"${field}"`;
        }),
    name: (option) => names.get(option) ?? option,
  };
}

/** What a person may do instead, and no tool: "Choose another name, or --force". */
const insteadByForce = /, or --force\b[^.;]*/g;
