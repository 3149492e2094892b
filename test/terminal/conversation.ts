/** A program for the tests that asks one thing, as its first argument says, and writes to the file ANSWER what came of it. */
import { existsSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Failure } from '../../src/failure.ts';
import { readSecretLine } from '../../src/terminal/input.ts';
import { openPerson, type Person } from '../../src/terminal/person.ts';

const { stdin, stderr, env } = process;
const noInput = process.argv.includes('--no-input');

const conversations: Record<string, (person: Person) => Promise<unknown>> = {
  ask: (person) => person.ask('Tenant path', { check: (text) => (text === 'x' ? 'x is taken.' : undefined) }),
  secret: (person) => person.secret('Password'),
  confirm: (person) => person.confirm('Delete client credential cc_1?'),
  hostile: (person) => person.confirm('Delete "a\u001b[2Jb\u200b"?'),
  pick: (person) =>
    person.pick('Where should it be sent', {
      pages: Readable.from([[{ value: 'mail', says: 'By mail' }], [{ value: 'none', says: 'No\u0007where' }]]),
      nothing: new Failure('not_found', 'Not found.'),
    }),
  name: (person) =>
    person.ask('To delete organization 0b0f, type its name', {
      check: (typed) => (typed.trim() === '' ? 'Nothing was typed; Ctrl-C cancels.' : undefined),
    }),
  two: async (person) => [await person.ask('Account'), await person.secret('Password'), await person.confirm('Go on?')],
  slowly: async (person) => {
    stderr.write('working\n');
    while (!existsSync(`${env.ANSWER}-typed`)) await new Promise((resolve) => setTimeout(resolve, 5));
    return person.secret('Password');
  },
  stdin: () => readSecretLine(stdin, { stderr, option: '--password-stdin', what: 'password' }),
};

// A window that is closed takes its stderr away.
stderr.on('error', () => {});

async function converse(): Promise<Record<string, unknown>> {
  const person = openPerson({ stdin, stderr, env, noInput });
  try {
    const answer = await conversations[process.argv[2] ?? '']?.(person);
    return { canAnswer: person.canAnswer, answer };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.exitCode = error.exit;
    return { canAnswer: person.canAnswer, kind: error.kind, message: error.message };
  }
}

converse().then((result) => writeFileSync(env.ANSWER ?? '/dev/null', JSON.stringify(result)));
