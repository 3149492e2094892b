/** The few colours of the output: for headings, IDs to copy, outcomes, and differences. */
export type Paint = Readonly<Record<'heading' | 'id' | 'good' | 'caution' | 'bad' | 'dim', (text: string) => string>>;

const asItIs = (text: string) => text;
const plain: Paint = { heading: asItIs, id: asItIs, good: asItIs, caution: asItIs, bad: asItIs, dim: asItIs };

/** The colours if they are wanted, otherwise none. */
export async function paintFor(color: boolean): Promise<Paint> {
  if (!color) return plain;
  const { Chalk } = await import('chalk');
  // The sink has decided already, so chalk must not read the environment.
  const { bold, cyan, dim, green, red, yellow } = new Chalk({ level: 1 });
  return { heading: bold, id: cyan, good: green, caution: yellow, bad: red, dim };
}
