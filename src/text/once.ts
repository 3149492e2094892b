/** Gives what `make` gives, which is made on the first call. */
export function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Passes each line on only the first time. */
export function onceEach<R extends readonly unknown[]>(say: (line: string, ...more: R) => void): typeof say {
  const said = new Set<string>();
  return (line, ...more) => {
    if (!said.has(line)) say(line, ...more);
    said.add(line);
  };
}
