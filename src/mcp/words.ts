/** Commands speak of options, tools of inputs: "--page-size" becomes "pageSize". */
import type { Tool } from './tools.ts';

export type Wording = {
  /** For a sentence: puts the input's name between quotes. */
  readonly sentence: (text: string) => string;
  /** For a field that holds one name. */
  readonly name: (option: string) => string;
};

/** Maps the options and arguments of a tool's command to its inputs. An option that is not an input keeps its name: it is for the user. */
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

/** Advice that only a user may follow: "Choose another name, or --force". */
const insteadByForce = /, or --force\b[^.;]*/g;
