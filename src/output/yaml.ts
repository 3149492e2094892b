import { escapeUnsafe } from '../text/json-write.ts';
import { loadYaml, yamlOptions } from '../text/yaml.ts';
import type { Form } from './result.ts';

/** A list as one YAML document, an item after the other. */
export async function yamlForm(): Promise<Form> {
  const write = await yamlWriter();
  let isEmpty = true;
  return {
    page(items) {
      if (items.length === 0) return '';
      isEmpty = false;
      return write(items);
    },
    end: () => (isEmpty ? '[]\n' : ''),
  };
}

/** One value as a YAML document that readers of YAML 1.1 and 1.2 understand alike; line end included. */
export async function yamlWriter(): Promise<(value: unknown) => string> {
  const { Document, visit } = await loadYaml();
  return (value) => {
    const document = new Document(value, yamlOptions);
    visit(document, {
      Scalar(_, node) {
        // Between double quotes, and only there, a character may be written as an escape.
        if (typeof node.value === 'string' && escapeUnsafe(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
      },
    });
    return escapeUnsafe(document.toString(yamlOptions), inYaml);
  };
}

/** YAML has no pairs of surrogates. */
function inYaml(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
