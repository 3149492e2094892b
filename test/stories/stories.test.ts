/** Each group of commands as it is used: the transcripts beside this file, played again; with -u they are written again. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lacks } from '../support/lacking.ts';
import { played } from '../support/story.ts';

const stories = readdirSync('test/stories').filter((name) => name.endsWith('.txt'));

describe('the commands of the stories', () => {
  const needsCurl = (name: string) => readFileSync(`test/stories/${name}`, 'utf8').includes('\n$ curl ');
  const skipped = stories.filter((name) => needsCurl(name) && lacks('curl'));
  it.skip.each(skipped)('print what %s says', () => {});
  it.each(stories.filter((name) => !skipped.includes(name)))('print what %s says', async (name) => {
    await expect(await played(readFileSync(`test/stories/${name}`, 'utf8'))).toMatchFileSnapshot(name);
  });

  it('need at most as many commands per task of a day as the heading says', () => {
    const [, ...tasks] = readFileSync('test/stories/a-day.txt', 'utf8').split(/^# (?=\d+\. )/m);
    const counted = tasks.map((task) => ({
      most: Number(/^.*\((\d)\)$/m.exec(task)?.[1]),
      typed: [...task.matchAll(/^\$ iiot /gm)].length,
    }));
    expect(counted.map(({ most }) => most)).toEqual([1, 1, 1, 4, 1, 1, 4, 2, 2, 1]);
    expect(counted.filter(({ most, typed }) => typed > most)).toEqual([]);
  });
});
