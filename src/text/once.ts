/** A function that returns the value of `make`, which it calls the first time only. */
export function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** A function that passes each line on only the first time. */
export function onceEach<R extends readonly unknown[]>(say: (line: string, ...more: R) => void): typeof say {
  const said = new Set<string>();
  return (line, ...more) => {
    if (!said.has(line)) say(line, ...more);
    said.add(line);
  };
}
