/** The few colours of a result: names that head something, and the ids that a person copies. */
export type Paint = { heading(text: string): string; id(text: string): string };

const plain: Paint = { heading: (text) => text, id: (text) => text };

/** The colours themselves where they are wanted, and else none. */
export async function paintFor(color: boolean): Promise<Paint> {
  if (!color) return plain;
  const { Chalk } = await import('chalk');
  // The sink has decided already; chalk's own look at the environment does not count.
  const { bold, cyan } = new Chalk({ level: 1 });
  return { heading: (text) => bold(text), id: (text) => cyan(text) };
}
