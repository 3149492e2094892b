import { harmless } from './json.ts';
import type { Form } from './result.ts';

// compat quotes what a reader of YAML 1.1 takes for something else: yes, on, 1:30, 2026-01-01.
const options = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

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
  const { Document, visit } = await import('yaml');
  return (value) => {
    const document = new Document(value, options);
    visit(document, {
      Scalar(_, node) {
        // Between double quotes, and only there, a character may be written as an escape.
        if (typeof node.value === 'string' && harmless(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
      },
    });
    return harmless(document.toString(options));
  };
}
