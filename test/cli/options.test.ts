/** How a command line is read: one command for all, since every command reads its options by the same code. */
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';

const someone = personForEach();

describe('a command line that is refused before anything is sent', () => {
  const list = 'orgs users list';
  const update = 'templates update template_001';

  it.each([
    [`${list} --page-size 5abc`, '--page-size takes a whole number from 1 to 1000.'],
    [`${list} --skip -1`, '--skip takes a whole number, 0 or more.'],
    [`${list} --limit 0`, '--limit takes a whole number, 1 or more.'],
    [`${list} --limit 5 --all`, '--all and --limit cannot be combined.'],
    [`${list} --limit 5 --limit 6`, '--limit was given more than once.'],
    [`${list} --role boss`, '--role takes one of admin, operator, viewer.'],
    [`${list} --frobnicate`, 'Unknown option "--frobnicate".'],
    [`${list} extra`, 'Too many arguments for iiot orgs users list. Expected 0 arguments but got 1.'],
    ['templates list --tag', '--tag needs a value.'],
    [`${update} --nam a`, 'Unknown option "--nam".'],
    [`${update} --name --subject`, '--name takes a value; write one that begins with a hyphen as --name=VALUE.'],
    [`${update} --channel-type Email`, '--channel-type takes one of email, teams, linemessage, webhook.'],
  ])('ends with one sentence: iiot %s', async (line, sentence) => {
    const { exit, stdout, stderr } = await someone.iiot(line.split(' '));
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({
      exit: 2,
      stdout: '',
      first: `error: ${sentence}`,
    });
    expect(someone.requests).toEqual([]);
  });

  it('suggests to quote a value with > or <', async () => {
    const { stderr } = await someone.iiot(['policies', 'update', 'x', '--alert-level']);
    expect(stderr).toBe(
      'error: --alert-level needs a value.\nhint: Write a value that begins with a hyphen as --alert-level=VALUE; quote one with > or <, such as ">80"\n',
    );
  });
});
