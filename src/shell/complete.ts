/** Answers `iiot __complete SHELL …` with the possible continuations of a command line, in the format of the shell's script. */
import { readBashTab } from './bash.ts';
import { type Completion, completionAt, type ReadTab, type Tab } from './completion-at.ts';
import { readFishTab } from './fish.ts';
import type { Candidate, Grammar } from './grammar.ts';
import { readPowershellTab } from './powershell.ts';
import type { Shell } from './script-files.ts';
import { readZshTab } from './zsh.ts';

const readers: Readonly<Record<Shell, ReadTab>> = {
  bash: readBashTab,
  zsh: readZshTab,
  fish: readFishTab,
  powershell: readPowershellTab,
};

/** Reads values that only this machine or the platform knows. `line` has the words before the cursor; `command` is the one that has the columns. */
type ReadLive = (
  wanted: Pick<LiveCompletion, 'what' | 'line' | 'rest'> & { readonly command?: string },
) => Promise<readonly Candidate[]>;

/** The answer, or undefined if values have to be read first. */
export function answerAtOnce(words: readonly string[], grammar: Grammar): string | undefined {
  const tab = readTab(words);
  if (!tab) return '';
  const completion = completionAt(tab.line, grammar);
  if (completion.kind === 'words' && completion.columnsOf !== undefined) return undefined;
  if (completion.kind !== 'live') return tab.format(completion);
  if (completion.what !== 'zones') return undefined;
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((word) => ({ word, says: '' }));
  return answerValues(tab, completion, zones);
}

export async function answerTab(words: readonly string[], grammar: Grammar, live: ReadLive): Promise<string> {
  const atOnce = answerAtOnce(words, grammar);
  const tab = readTab(words);
  if (atOnce !== undefined || !tab) return atOnce ?? '';
  const completion = completionAt(tab.line, grammar);
  if (completion.kind === 'live') return answerValues(tab, completion, await live(completion));
  if (completion.kind !== 'words' || completion.columnsOf === undefined) return '';
  const taken = [...completion.before.split(/[,=]/), ...completion.candidates.map(({ word }) => word)];
  const seen = await live({ what: 'columns', line: tab.line.words, rest: [], command: completion.columnsOf });
  const unlisted = seen.filter(({ word }) => isPassable(word) && !taken.includes(word));
  return tab.format({ ...completion, candidates: [...completion.candidates, ...unlisted] });
}

function readTab([shell = '', ...given]: readonly string[]): Tab | undefined {
  return Object.hasOwn(readers, shell) ? readers[shell as Shell](given) : undefined; // guaranteed by hasOwn
}

type LiveCompletion = Extract<Completion, { readonly kind: 'live' }>;

function answerValues(tab: Tab, { before, value, hyphens }: LiveCompletion, values: readonly Candidate[]): string {
  const candidates = values.filter(({ word }) => isPassable(word) && (hyphens || !word.startsWith('-')));
  return tab.format({ kind: 'words', before, value, candidates });
}

function isPassable(word: string): boolean {
  return word !== '' && !/\0|\p{Cs}/u.test(word);
}
