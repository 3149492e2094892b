import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

export type Text = { readonly text: string; readonly place: string };

/** The literals of all files below a folder, templates in the pieces between their values, and regular expressions as they are written. */
export function textsOf(folder: string): Text[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    const found: Text[] = [];
    const visit = (node: ts.Node) => {
      if (ts.isImportDeclaration(node)) return;
      if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node)) {
        const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
        found.push({ text: node.text.replace(/\s+/g, ' '), place });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}
