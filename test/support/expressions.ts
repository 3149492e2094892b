/** The regular expressions of src/, and texts that are made of their own letters to take them as long as possible. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const src = join(import.meta.dirname, '../../src');

/** `made` counts the expressions that are put together from parts. */
export type SourceFile = { readonly path: string; readonly literals: readonly RegExp[]; readonly made: number };

export function sourceFiles(): readonly SourceFile[] {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.map((name) => {
    const path = join(src, name);
    const literals: RegExp[] = [];
    let made = 0;
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) literals.push(expressionOf(node.text));
      if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') made += 1;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
    return { path: relative(src, path).replaceAll('\\', '/'), literals, made };
  });
}

function expressionOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** One of each kind of character, for classes. */
const letters = [...'a0 \n\t-_./:="\'<[({\\*#%&@Aé\u200b\0'];

const atom =
  /\\p\{[^}]*\}|\\[ux][0-9a-f]{2,4}|\\u\{[0-9a-f]+\}|\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<\w+>|:)|\{\d*,?\d*\}|[()|*+?^$]|./gis;

/** A beginning, what is repeated, and an end. */
export type Attack = readonly [string, string, string];

/**
 * Texts of the letters that an expression is made of: what stands before a part of one of its branches, then that part many times
 * over, then what hardly anything matches.
 */
export function attacksOn({ source, flags }: RegExp): readonly Attack[] {
  const parts = [...source.matchAll(atom)].map(([part]) => part);
  const ends = [-1, ...parts.flatMap((part, at) => (part === '|' ? [at] : [])), parts.length];
  const branches = [parts, ...ends.slice(1).map((end, index) => parts.slice((ends[index] ?? 0) + 1, end))];
  const excluded = [...source.matchAll(/\[\^([^\]]*)/g)].map(([, letters]) => letters).join('');
  const found = new Map<string, Attack>();
  for (const branch of branches) {
    const samples = branch.map((part) => samplesOf(part, flags)).filter(({ length }) => length > 0);
    for (let which = 0; which < Math.max(0, ...samples.map(({ length }) => length)); which += 1) {
      const line = samples.map((each) => each[which % each.length] ?? '');
      for (const [before, unit] of line.flatMap((_, from) => attacksFrom(line, from)))
        found.set(`${before}\0${unit}`, [before, unit, `\0\n${excluded}`]);
    }
  }
  return [...found.values()];
}

function attacksFrom(line: readonly string[], from: number): readonly (readonly [string, string])[] {
  const lengths = from === 0 ? line.map((_, index) => index + 1) : [1, 2, 3];
  const units = lengths.map((length) => line.slice(from, from + length));
  return units.flatMap((unit) => ['', line.slice(0, from).join('')].map((before) => [before, unit.join('')] as const));
}

const mostSamples = 5;

/** Some of the characters that a part of an expression matches; none for what is no character. */
function samplesOf(part: string, flags: string): readonly string[] {
  if (/^(?:\(|[)|*+?^$]|\{\d*,?\d*\}$|\\[bBk])/.test(part)) return [];
  const matching = new RegExp(
    `^(?:${part.length === 1 ? part.replace(/[{}[\]/]/, '\\$&') : part})$`,
    flags.replace(/[gy]/g, ''),
  );
  const found = [...new Set([...part, ...letters])].filter((letter) => matching.test(letter));
  const step = Math.max(1, found.length / mostSamples);
  if (found.length > 0) return found.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const any = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).find((each) =>
    matching.test(each),
  );
  return any === undefined ? [] : [any];
}
