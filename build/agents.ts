/** Writes the documents that agents read before they use the program: skills/iiot/SKILL.md and docs/llms.txt. */
import type { Command } from '../src/command/command.ts';
import { usageLine } from '../src/shell/option-facts.ts';
import { referenceName, table } from '../src/shell/reference.ts';
import { type Topic, topics } from '../src/shell/topics.ts';

const what =
  'Administers an industrial IoT platform from the command line: organizations and their users, devices, alert policies, notification templates and ' +
  'channels, scheduled batches, client credentials.';

/** The skill. Its front matter says when an agent reads it. */
export function skill(commands: readonly Command[]): string {
  return [
    '---',
    'name: iiot',
    `description: ${JSON.stringify(`${what} Use it to read or change anything on such a platform with the program iiot, or to write a script for it.`)}`,
    '---',
    '',
    '# iiot',
    '',
    'The first part is `iiot help agents`; `iiot help COMMAND` has the options. Written by `npm run texts`.',
    '',
    ...markdown(topicNamed('agents')),
    '',
    '## Commands',
    '',
    ...table(
      ['command', 'does', 'what it changes on the platform'],
      commands.map((command) => [
        `\`${usageLine(command).replace(' [OPTIONS]', '')}\``,
        command.summary,
        changesWord(command),
      ]),
    ),
    '',
  ].join('\n');
}

/**
 * The list of documents, in the form of https://llmstxt.org.
 * @param readme the README, whose list "Read more" says what each document is for
 */
export function llms(commands: readonly Command[], readme: string): string {
  const [, list = ''] = /\n## Read more\n\n([\s\S]*?)\n*$/.exec(readme) ?? [];
  const documents = [...list.matchAll(/^- \[([^\]]+)\]\([^)]+\): (.+)$/gm)];
  return [
    '# iiot',
    '',
    `> ${what}`,
    '',
    'An agent reads [the skill](../skills/iiot/SKILL.md) first, which is `iiot help agents`.',
    '',
    '## Documents',
    '',
    // A path of the repository, as seen from docs/.
    ...documents.map(
      ([, path = '', says]) => `- [${path}](${path.replace(/^(?!docs\/)/, '../').replace(/^docs\//, '')}): ${says}`,
    ),
    '',
    '## Commands',
    '',
    ...commands.map((command) => {
      const changes = command.changes === undefined ? '' : `; changes: ${changesWord(command)}`;
      return `- [iiot ${command.name}](reference/${referenceName(command)}): ${command.summary}${changes}`;
    }),
    '',
  ].join('\n');
}

function topicNamed(name: string): Topic {
  const topic = topics.find((each) => each.name === name);
  if (!topic) throw new Error(`Unknown topic ${name}`);
  return topic;
}

function markdown({ text }: Topic): readonly string[] {
  return text().flatMap((part, index, all) => {
    if (typeof part !== 'string')
      return table(
        ['', ''],
        part.map(([word, says]) => [`\`${word}\``, says]),
      );
    const isBetween = part !== '' && typeof all[index - 1] === 'string' && all[index - 1] !== '';
    return isBetween ? ['', part] : [part];
  });
}

function changesWord({ changes }: Command): string {
  return changes === undefined ? '' : changes.undoable ? 'can be changed back' : 'cannot be undone';
}
