/** Work whose time grows as the length of its text does, and not faster, on whatever machine. */
import { expect } from 'vitest';

/** Compares a text with one that is a fourth of it, in time of the processor: of several turns, one that is linear will do. */
export async function expectLinear(text: (length: number) => string, length: number, work: (text: string) => unknown) {
  const texts = [text(length / 4), text(length)];
  const told: string[] = [];
  while (told.length < 10) {
    const [few = 0, many = 0] = [await time(work, texts[0] ?? ''), await time(work, texts[1] ?? '')];
    // Four times as long; what takes hardly any time at all cannot be compared.
    if (many < few * 8 + 20) return;
    told.push(`${few} ms, and ${many} ms for four times the text`);
  }
  expect.fail(`It is not linear: ${told.join('; ')}`);
}

/** In milliseconds. */
async function time(work: (text: string) => unknown, text: string): Promise<number> {
  const began = process.cpuUsage();
  await work(text);
  return process.cpuUsage(began).user / 1000;
}
