/** ASP.NET accepts 32 to 64 levels. */
const deepest = 64;

type Container = { readonly add: (value: unknown) => void; readonly made: unknown };

/**
 * Reads one JSON value. Objects become Maps, so that keys keep their order, and keys such as `__proto__` or "10" are not special.
 * A problem is a phrase that continues a sentence about the row, and quotes nothing except a key.
 */
export function parseOrdered(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  return build(text);
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s"[\]{}:,]+/g;

/** Builds the value of a text that is known to be valid JSON, so commas and colons can be ignored. */
function build(text: string): { value: unknown } | { problem: string } {
  const open: Container[] = [];
  let value: unknown;
  let twice: string | undefined;
  const place = (made: unknown) => {
    const holder = open.at(-1);
    if (holder) holder.add(made);
    else value = made;
  };
  for (const [word] of text.matchAll(token)) {
    if (word === '{') open.push(objectContainer((key) => (twice ??= key)));
    else if (word === '[') open.push(listContainer());
    else if (word === '}' || word === ']') place(open.pop()?.made);
    else place(scalar(word));
    if (open.length > deepest)
      return { problem: `is nested more than ${deepest} levels deep, which no platform reads` };
  }
  return twice === undefined ? { value } : { problem: `has the key ${JSON.stringify(twice)} twice in one object` };
}

function scalar(word: string): unknown {
  return word.startsWith('"') && !word.includes('\\') ? word.slice(1, -1) : JSON.parse(word);
}

function listContainer(): Container {
  const made: unknown[] = [];
  return { made, add: (value) => made.push(value) };
}

/** Takes keys and values alternately. */
function objectContainer(onTwice: (key: string) => void): Container {
  const made = new Map<string, unknown>();
  let key: string | undefined;
  return {
    made,
    add(value) {
      if (key === undefined) {
        key = String(value);
        if (made.has(key)) onTwice(key);
        return;
      }
      made.set(key, value);
      key = undefined;
    },
  };
}
