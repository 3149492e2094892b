/** Every sentence that the program can say, by file, for the test of its words. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** What holds data and not sentences: names of people and devices, and words that only programs read. */
const withoutWords = /^(sandbox\/world\/names|text\/|version|quartz\/fields)/;

/** The sentences of one file, in the order in which they stand. */
function sentencesOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text === undefined) ts.forEachChild(node, visit);
    else if (isSentence(text)) found.push(text.replace(/\s+/g, ' ').trim());
  };
  visit(file);
  return [...new Set(found)];
}

/** A literal's text, values in braces; undefined for what is not one. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return '';
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => `{${nameOf(expression)}}${literal.text}`).join('')
    );
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function nameOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '…';
}

/** Two words of letters beside each other, at the least; a page, a style or a script is none. */
function isSentence(text: string): boolean {
  return (
    !/^\s*(<!DOCTYPE|<main|:root|#compdef|# iiot:|const |let |while read)/.test(text) &&
    /\p{L}{2,}[,:;]? \p{L}{2,}/u.test(text)
  );
}

/** The sentences by file of src/, each with its values in braces; without files that say nothing. */
export function messagesByFile(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !withoutWords.test(name))
    .map((name) => [name, sentencesOf(`src/${name}`)] as const);
  return new Map(files.filter(([, sentences]) => sentences.length > 0));
}
