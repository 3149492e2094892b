/** The few colours of what a person reads: names that head something, ids that they copy, how something went, and what differs. */
export type Paint = Readonly<Record<'heading' | 'id' | 'good' | 'caution' | 'bad' | 'dim', (text: string) => string>>;

const unpainted = (text: string) => text;
const plain: Paint = {
  heading: unpainted,
  id: unpainted,
  good: unpainted,
  caution: unpainted,
  bad: unpainted,
  dim: unpainted,
};

/** The colours themselves where they are wanted, and else none. */
export async function paintFor(color: boolean): Promise<Paint> {
  if (!color) return plain;
  const { Chalk } = await import('chalk');
  // The sink has decided already; chalk's own look at the environment does not count.
  const { bold, cyan, dim, green, red, yellow } = new Chalk({ level: 1 });
  return { heading: bold, id: cyan, good: green, caution: yellow, bad: red, dim };
}
