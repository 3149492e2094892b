/** Each group of commands as it is used: the transcripts beside this file, played again. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { played } from '../support/story.ts';

const stories = readdirSync('test/stories').filter((name) => name.endsWith('.txt'));

describe('stories', () => {
  it.each(stories)('%s', { timeout: 60_000 }, async (name) => {
    const transcript = readFileSync(`test/stories/${name}`, 'utf8');
    expect(await played(transcript)).toBe(transcript);
  });
});
