export const labelColors = ['red', 'yellow', 'green', 'blue', 'magenta', 'cyan'] as const;
export type LabelColor = (typeof labelColors)[number];

/** The few colours of the output: for headings, IDs to copy, outcomes, and differences. */
const paintNames = ['heading', 'id', 'good', 'caution', 'bad', 'dim', ...labelColors] as const;
export type Paint = Readonly<Record<(typeof paintNames)[number], (text: string) => string>>;

const plain = Object.fromEntries(paintNames.map((use) => [use, (text: string) => text])) as Paint; // uses has them all

export async function paintFor(color: boolean): Promise<Paint> {
  if (!color) return plain;
  const { Chalk } = await import('chalk');
  // The sink has decided already, so chalk must not read the environment.
  const { bold, blue, cyan, dim, green, magenta, red, yellow } = new Chalk({ level: 1 });
  const labels = { red, yellow, green, blue, magenta, cyan };
  return { heading: bold, id: cyan, good: green, caution: yellow, bad: red, dim, ...labels };
}
