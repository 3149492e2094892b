/** Measures the sources: lines by room, printed by `npm run size`, and the length of functions. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** A file of src/: its name from there, and its lines as `wc -l` counts them. */
type Source = { readonly name: string; readonly lines: number; readonly tree: ts.SourceFile };

/** A function by the place where it begins: its lines, and its variables that change, without those of loops and of functions inside it. */
export type FunctionSize = { readonly place: string; readonly lines: number; readonly lets: number };

/** Every TypeScript file of a folder, by name. */
export function sourcesOf(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => {
      const text = readFileSync(posix.join(folder, name), 'utf8');
      const tree = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
      return { name, lines: text.split('\n').length - 1, tree };
    });
}

export function functionsOf({ name, tree }: Source): FunctionSize[] {
  const found: FunctionSize[] = [];
  /** Gives the variables of a node outside of the functions in it. */
  const visit = (node: ts.Node): number => {
    const isLet =
      ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.Let) !== 0 && !ts.isForStatement(node.parent);
    let lets = isLet ? node.declarations.flatMap((each) => namesOf(each.name)).length : 0;
    ts.forEachChild(node, (child) => {
      lets += visit(child);
    });
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return lets;
    const [first = 0, last = 0] = [node.getStart(), node.getEnd()].map(
      (at) => tree.getLineAndCharacterOfPosition(at).line,
    );
    found.push({ place: `${name}:${first + 1}`, lines: last - first + 1, lets });
    return 0;
  };
  visit(tree);
  return found;
}

function namesOf(name: ts.BindingName): ts.Node[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesOf(each.name) : []));
}

/** A table of rooms with files and lines, and their sum; a room is a folder of src/, or a file that lies loose. */
function table(sources: readonly Source[]): string {
  const rooms = new Map<string, { files: number; lines: number }>();
  for (const { name, lines } of sources) {
    for (const room of [name.split('/')[0] ?? '', 'all']) {
      const sum = rooms.get(room) ?? { files: 0, lines: 0 };
      rooms.set(room, { files: sum.files + 1, lines: sum.lines + lines });
    }
  }
  const rows = [...rooms].sort(([, one], [, other]) => one.lines - other.lines);
  return [['room', 'files', 'lines'], ...rows.map(([room, { files, lines }]) => [room, files, lines])]
    .map(([room, ...figures]) => `${room}`.padEnd(14) + figures.map((each) => `${each}`.padStart(9)).join(''))
    .join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(table(sourcesOf('src')));
}
