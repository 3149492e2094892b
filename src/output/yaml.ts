import { escapeUnsafe } from '../text/json-write.ts';
import type { Form } from './result.ts';

export type { Document } from 'yaml';

/** Reads and writes YAML. Loaded on first use. */
export const loadYaml = () => import('yaml');

/** For every document that this program writes. `compat` quotes texts that a YAML 1.1 parser would misread: yes, on, 1:30. */
export const yamlOptions = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

export async function yamlForm(): Promise<Form> {
  const write = await yamlWriter();
  let isEmpty = true;
  return {
    page(items) {
      isEmpty = false;
      return write(items);
    },
    end: () => (isEmpty ? '[]\n' : ''),
  };
}

/** One value as a YAML document that parsers of YAML 1.1 and 1.2 read alike; includes the final line break. */
export async function yamlWriter(): Promise<(value: unknown) => string> {
  const { Document, visit } = await loadYaml();
  return (value) => {
    const document = new Document(value, yamlOptions);
    visit(document, {
      Scalar(_, node) {
        // Only double-quoted strings can contain escapes.
        if (typeof node.value === 'string' && escapeUnsafe(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
      },
    });
    return escapeUnsafe(document.toString(yamlOptions), escapedInYaml);
  };
}

/** The escape of a character in YAML, which has no surrogate pairs. */
function escapedInYaml(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
