/** One command for many organizations or profiles. */
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { loadCommands } from '../../src/shell/tree.ts';
import { personsForEach } from '../support/fixtures.ts';
import { errorOf, failed, worked } from '../support/seen.ts';
import type { Person } from '../support/world.ts';
import { tokenOnly } from './device-requests.ts';

const root = '11111111-1111-4111-8111-111111111111';
const hall = '22222222-2222-4222-8222-222222222222';
const missing = '99999999-9999-4999-8999-999999999999';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const commands = await loadCommands(groups);
const newPerson = personsForEach();
let someone: Person;
beforeEach(() => {
  someone = newPerson();
});

const admins = ['orgs', 'users', 'list', '--role', 'admin', '--limit', '1'];
const delay = ['policies', 'update', policy, '--delay', '5'];
const line3 = ['devices', 'custom-info', 'set', 'press-0001', 'line=3'];
const forOrgs = (orgs: string, ...words: readonly string[]) => someone.iiot(['each', '--orgs', orgs, ...words]);
const bodies = () => someone.sent.filter(({ request }) => !request.startsWith('GET'));

describe('iiot each --orgs', () => {
  const csvRow = (org: string) => `${org},ada,Ada Okonkwo,admin,ada@factory.example\r\n`;
  const ndjsonRow = (org: string) =>
    `{"orgId":"${org}","userId":"ada","name":"Ada Okonkwo","orgRole":"admin","email":"ada@factory.example"}\n`;
  it.each([
    ['table', `${root}\tada\tAda Okonkwo\tadmin\n${hall}\tada\tAda Okonkwo\tadmin\n`],
    ['csv', `orgId,userId,name,orgRole,email\r\n${csvRow(root)}${csvRow(hall)}`],
    ['ndjson', ndjsonRow(root) + ndjsonRow(hall)],
    ['id', `${root}\tada\n${hall}\tada\n`],
  ])('adds the organization as the first field with -o %s', async (format, stdout) => {
    const remark = '2 of 92 users';
    expect(await forOrgs(`${root},${hall}`, '--', ...admins, '-o', format)).toEqual(worked(stdout, remark));
    expect(await forOrgs(`${root},${hall}`, '-o', format, '-q', '--', 'iiot', ...admins)).toEqual(worked(stdout));
  });

  it.each([',', ';', '、', '，'])('takes organizations that are separated by %s', async (mark) => {
    expect((await forOrgs(`${root}${mark}${hall}`, '-o', 'id', '-q', '--', ...admins)).stdout).toBe(
      `${root}\tada\n${hall}\tada\n`,
    );
  });

  it('writes one byte order mark with --for-spreadsheet before or after --', async () => {
    const words = ['-o', 'csv', '--for-spreadsheet'];
    const marked = worked(`\ufefforgId,userId,name,orgRole,email\r\n${csvRow(root)}${csvRow(hall)}`);
    expect(await forOrgs(`${root},${hall}`, '-q', '--', ...admins, ...words)).toEqual(marked);
    expect(await forOrgs(`${root},${hall}`, '-q', ...words, '--', ...admins)).toEqual(marked);
    expect(await forOrgs(root, '--', ...admins, '--for-spreadsheet')).toMatchObject({ exit: 2, stdout: '' });
  });

  it.each([
    ['json', /^ {4}"orgId": "(.*)",$/gm],
    ['yaml', /^- orgId: (.*)$/gm],
  ])('adds the organization to each record in %s', async (format, orgId) => {
    const { stdout } = await forOrgs(`${root},${hall}`, '--', ...admins, '-q', '-o', format);
    expect([...stdout.matchAll(orgId)].map(([, org]) => org)).toEqual([root, hall]);
  });

  it('applies --jq and --columns to the combined result', async () => {
    const words = [`${root},${hall}`, '--', 'orgs', 'users', 'list', '--all'] as const;
    expect((await forOrgs(...words, '--jq', 'group_by(.orgId) | map(length)')).stdout).toBe('[2000,1]\n');
    expect((await forOrgs(`${hall}`, '--', ...admins, '--columns', 'name,orgId')).stdout).toBe(
      `Ada Okonkwo\t${hall}\n`,
    );
  });

  it('reads the organizations from a file, each once', async () => {
    const named = (file: string, stdin = '') =>
      someone.iiot(['each', '--orgs-file', file, '-q', '-o', 'id', '--', ...admins], { stdin });
    const file = someone.file('orgs.txt', `# ours\r\n${root}\r\n\r\n${hall.toUpperCase()}\n${hall}`);
    expect(await named(file)).toEqual(worked(`${root}\tada\n${hall.toUpperCase()}\tada\n`));
    expect(await named('-', hall)).toEqual(worked(`${hall}\tada\n`));
    const wrong = someone.file('wrong.txt', `# a\n\n${root}\norg,name\n${hall}\nHall B\n`);
    const sentence = `error: ${wrong} has no organization ID on line 4 ("org,name"), line 6 ("Hall B").`;
    const hint = 'hint: Write one ID per line; blank lines, and those that begin with #, are skipped';
    expect(await named(wrong)).toEqual(failed(2, sentence, hint));
    const nothing = someone.file('none.txt', '# none\n');
    const refusal = `error: --orgs-file ${nothing} names no organization.`;
    expect(await named(nothing)).toEqual(failed(2, refusal, 'hint: See iiot each --help'));
  });

  it('names the organizations that fail, and prints the others', async () => {
    const sentence = `There is no organization ${missing}. (404)`;
    const lines = [
      `${missing}: ${sentence}`,
      'error: 1 of 3 organizations failed.',
      `hint: For these alone: iiot each --orgs ${missing} -- ${admins.join(' ')}`,
    ];
    const stdout = `${root}\tada\n${hall}\tada\n`;
    const words = [`${root},${missing},${hall}`, '--', ...admins, '-q', '-o'] as const;
    expect(await forOrgs(...words, 'id')).toEqual({ ...failed(9, ...lines), stdout });
    const { exit, code, details, hint } = await errorOf(forOrgs(...words, 'ndjson'));
    const failure = { code: 'not_found', message: sentence.replace(' (404)', ''), status: 404, outcome: 'failed' };
    const detail = { orgId: missing, ...failure, requestId: expect.anything() };
    expect([exit, code, details, hint]).toEqual([9, 'partial', [detail], lines[2]?.slice(6)]);
  });

  it.each([
    ['in the same way', `${missing},99999999-9999-4999-8999-999999999998`, 5],
    ['in different ways', `${missing},x`, 9],
  ])('ends without a result if all organizations fail %s', async (_, orgs, exit) => {
    const seen = await forOrgs(orgs, '--', ...admins);
    const sentence = 'error: 2 of 2 organizations failed.';
    expect([seen.exit, seen.stdout, seen.stderr.split('\n')[2]]).toEqual([exit, '', sentence]);
  });

  it('shows each request under its organization at a terminal', async () => {
    const words = ['each', '--orgs', `${root},${hall}`, '--', ...delay, '--dry-run'];
    const { stdout } = await someone.iiot(words, { columns: 200 });
    const lines = stdout.split('\n').filter((line) => !line.startsWith('curl'));
    const path = (org: string) => `/api/v1/orgs/${org}/alert-policies/${policy}`;
    const requests = [root, hall].map((org) => [org, `PATCH http://127.0.0.1:1${path(org)}`]);
    expect(lines).toEqual([...requests.flatMap((each) => [...each, '  {', '    "delay": 5', '  }', '']), '']);
  });

  it.each([
    [[], 4],
    [['--concurrency', '2'], 2],
  ])('runs organizations in order, and with %j %i at once', async (words, most) => {
    let [under, peak] = [0, 0];
    someone = newPerson({
      fetch: async (url) => {
        if (url.endsWith('/connect/token'))
          return Response.json({ access_token: 'a-token-of-the-tests', expires_in: 3600 });
        const org = url.split('/')[6] ?? '';
        under += 1;
        peak = Math.max(peak, under);
        await sleep(org.startsWith('0') ? 40 : 5);
        under -= 1;
        return Response.json({ items: [{ userId: org }], totalCount: 1 });
      },
    });
    const orgs = [...Array(9).keys()].map((at) => `${at}${root.slice(1)}`);
    const { stdout } = await forOrgs(orgs.join(','), ...words, '--', 'orgs', 'users', 'list', '-o', 'id');
    expect(stdout).toBe(orgs.map((org) => `${org}\t${org}\n`).join(''));
    expect(peak).toBe(most);
  });

  it('writes each result after those before it, and holds one page of the others', async () => {
    const orgs = [...Array(6).keys()].map((at) => `${at}${root.slice(1)}`);
    const asked: string[] = [];
    const seen = { ahead: 0, first: '' };
    let written = '';
    const stdout = new Writable({
      write(chunk, _, done) {
        written += chunk;
        done();
      },
    });
    someone = newPerson({
      ...tokenOnly,
      fetch: async (url) => {
        const org = url.split('/')[6] ?? '';
        asked.push(org);
        const isFirst = asked.filter((each) => each === org).length === 1;
        // The others have all the turns that they want.
        if (org === orgs[0] && isFirst) for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
        if (org === orgs[0] && isFirst) seen.ahead = asked.length - 1;
        if (org === orgs[5] && isFirst) seen.first = written;
        const skip = Number(new URL(url).searchParams.get('skipCount') ?? 0);
        return Response.json({ items: [{ userId: `${org[0]}-${skip}` }], totalCount: 20 });
      },
    });
    const words = ['orgs', 'users', 'list', '--all', '--page-size', '1', '-o', 'ndjson'];
    const { exit } = await someone.iiot(['each', '--orgs', orgs.join(','), '--', ...words], { stdout });
    expect([exit, written.split('\n').length, seen.first.includes('"0-0"')]).toEqual([0, 121, true]);
    // Three others: a page held, one in hand, and one that is read ahead.
    expect(seen.ahead).toBeLessThanOrEqual(9);
  });
});

/** Profiles plant-1 to plant-4 with a login each, and one without. */
async function withPlants(): Promise<void> {
  const login = ['login', 'm2m', '--client-id', 'sandbox-machine', '--client-secret-stdin', '--profile'];
  const none = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
  for (const name of ['plant-1', 'plant-2', 'plant-3', 'plant-4']) {
    expect((await someone.iiot([...login, name], { env: none, stdin: 'sandbox-secret\n' })).exit).toBe(0);
    await someone.iiot(['profiles', 'set', name, `org=${name === 'plant-1' ? root : hall}`]);
  }
  await someone.iiot(['profiles', 'set', 'new-plant', 'baseUrl=http://127.0.0.1:1', `org=${root}`]);
  Object.assign(someone.env, { ...none, IIOT_BASE_URL: undefined, IIOT_ORG: undefined });
  (someone.requests as string[]).length = 0;
}

const sameForAll = (name: string) => `${name} would be the same for all profiles.`;
const forProfiles = (...words: readonly string[]) => someone.iiot(['each', '--profiles', ...words]);

it('iiot each counts the users that were compared where it did not fail', async () => {
  const { stdout } = await forOrgs(root, '--', 'orgs', 'users', 'list', '-o', 'json');
  const compare = ['orgs', 'users', 'diff', someone.file('users.json', stdout)];
  const { stderr } = await forOrgs(`${root},${missing}`, '--', ...compare);
  expect(stderr).toContain('Where it did not fail: Nothing has changed');
});

describe('iiot each --profiles', () => {
  beforeEach(withPlants);

  it.each([
    ['plant-*', ['plant-1', 'plant-2', 'plant-3', 'plant-4']],
    ['plant-4,plant-[1]', undefined],
    ['plant-4, *-1,plant-4', ['plant-4', 'plant-1']],
  ])('selects profiles by name: %s', async (glob, names) => {
    const { exit, stdout, stderr } = await forProfiles(glob, '--', ...admins, '-o', 'id', '-q');
    const none = 'error: There is no profile "plant-[1]" (--profiles).\nhint: Did you mean plant-1?\n';
    if (!names) return void expect([exit, stdout, stderr]).toEqual([2, '', none]);
    expect([exit, stdout]).toEqual([0, names.map((name) => `${name}\tada\n`).join('')]);
  });

  it('continues if a profile has no login', async () => {
    const { exit, stdout, stderr } = await forProfiles('*-1', '--profiles', 'new-*', '--', ...admins, '-o', 'id', '-q');
    expect([exit, stdout]).toEqual([9, 'plant-1\tada\n']);
    expect(stderr).toMatch(
      /^new-plant: .*not logged in.*\nerror: 1 of 2 profiles failed\.\nhint: For these alone: iiot each --profiles new-plant -- orgs users list .*\n$/i,
    );
  });

  it.each(['IIOT_TOKEN', 'IIOT_CLIENT_ID', 'IIOT_BASE_URL', 'IIOT_ORG'])('refuses %s', async (name) => {
    const env = { [name]: 'https://x.example' };
    const seen = await someone.iiot(['each', '--profiles', 'plant-*', '--', ...admins], { env });
    expect(seen).toEqual(failed(2, `error: ${sameForAll(name)}`, `hint: Unset ${name}`));
  });

  const notConfirmed = (twins: string, what: string, option: string) =>
    failed(
      2,
      `Note: profiles ${twins} are for the same place, where it is done ${twins.split(',').length} times.`,
      `error: Changes for ${what} need confirmation.`,
      `hint: Confirm with ${option}; see the requests with --dry-run`,
    );

  it('changes nothing without --yes, and shows the requests with --dry-run', async () => {
    const refusal = notConfirmed('plant-2, plant-3, plant-4', '4 profiles', '--yes');
    expect(await forProfiles('plant-*', '--', ...line3)).toEqual(refusal);
    const jq = '.[] | [.profile, .request.method] | join(" ")';
    const { exit, stdout } = await forProfiles('plant-*', '--', ...line3, '--dry-run', '--jq', jq);
    expect([exit, stdout]).toEqual([0, 'plant-1 PUT\nplant-2 PUT\nplant-3 PUT\nplant-4 PUT\n']);
    expect(someone.requests).toEqual([]);
  });

  it('reports each change on a line of its own, and records it in the history', async () => {
    const { exit, stdout, stderr } = await forProfiles('plant-1,plant-2', '--yes', '--', ...line3);
    const path = '/platform/solutions/api/v1/devices/press-0001/custom-info';
    const done = '✓ Set 1 key of device press-0001';
    expect([exit, stdout, stderr]).toEqual([0, `plant-1\t${done}\nplant-2\t${done}\n`, '']);
    expect(bodies()).toEqual([1, 2].map(() => ({ request: `PUT ${path}`, body: '{"line":"3"}' })));
    const jq = 'map("\\(.profile) \\(.outcome)") | sort | join(", ")';
    expect((await someone.iiot(['history', '--jq', jq])).stdout).toBe('plant-1 done, plant-2 done\n');
  });

  it('sends nothing if one of the profiles would be refused', async () => {
    await someone.iiot(['profiles', 'set', 'plant-3', 'org=']);
    const seen = await forProfiles('plant-*', '--yes', '--', ...delay);
    const sentence = 'plant-3: Which organization? --org is missing.';
    const hint = 'hint: Give --org ID, set IIOT_ORG, or: iiot profiles set plant-3 org=ID';
    const lines = [sentence, 'error: Nothing was sent: 1 of 4 profiles failed.', hint].map((line) => `${line}\n`);
    expect(seen).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(lines.join('')) });
    const unknown = await forProfiles('*plant*', '--yes', '--', ...line3);
    expect([unknown.exit, unknown.stdout]).toEqual([3, '']);
    expect(someone.requests).toEqual([]);
  });

  it('changes no protected profile that is not named', async () => {
    for (const name of ['plant-2', 'plant-3']) await someone.iiot(['profiles', 'set', name, 'protected=true']);
    const refusal = (...options: readonly string[]) =>
      notConfirmed('plant-4, plant-2, plant-3', 'protected profiles', options.join(' '));
    const two = ['--confirm-profile', 'plant-2'];
    const three = ['--confirm-profile', 'plant-3'];
    expect(await forProfiles('plant-*', '--', ...line3)).toEqual(refusal(...two, ...three, '--yes'));
    expect(await forProfiles('plant-*', ...two, '--', ...line3, '--yes')).toEqual(refusal(...three));
    expect(someone.requests).toEqual([]);
    expect((await forProfiles('plant-*', '--', ...admins)).exit).toBe(0);
    expect((await forProfiles('plant-*', ...two, '--', ...line3, '--yes', ...three)).exit).toBe(0);
    expect(bodies()).toHaveLength(4);
  });

  it.each([
    ['set', line3],
    ['api', ['api', 'DELETE', '/x']],
  ])('sends nothing if one of the profiles is read-only: %s', async (_, words) => {
    await someone.iiot(['profiles', 'set', 'plant-2', 'readOnly=true']);
    const refusal = await errorOf(forProfiles('plant-*', '--', ...words, '--yes', '-o', 'json'));
    expect(refusal).toMatchObject({ exit: 4, code: 'read_only' });
    expect(refusal.message).toContain('(profile plant-2)');
    expect(someone.requests).toEqual([]);
    expect((await forProfiles('plant-*', '--', ...admins)).exit).toBe(0);
    expect((await forProfiles('plant-*', '--', ...line3, '--dry-run')).exit).toBe(0);
  });

  it('runs a GET of api, but no DELETE without --yes', async () => {
    const get = ['api', '/api/v1/orgs/{orgId}/users?maxResultCount=1'];
    const read = await forProfiles('plant-1', '--', ...get, '--jq', '.[] | .profile, .totalCount');
    expect(read).toEqual(worked('plant-1\n2000\n'));
    expect((await forProfiles('plant-1', '--', 'api', 'DELETE', '/x')).exit).toBe(2);
    expect(bodies()).toEqual([]);
  });
});

describe('iiot each', () => {
  const hint = 'hint: See iiot each --help';
  const [notRun, once] = ['error: iiot each does not run', 'hint: Run it once for each'];
  const noOrg = 'error: --org has no effect: iiot each does not act in an organization;';
  const one = 'error: Give one of --orgs, --orgs-file and --profiles.';
  const users = 'orgs users list';
  it.each<[string, string, string?]>([
    [`-- ${users}`, one],
    [`--orgs ${root} --profiles x -- ${users}`, one],
    [`--orgs ${root}, -- ${users}`, 'error: --orgs and --profiles take names, separated by commas.'],
    [
      `--orgs ${root} -- orgs usres`,
      'error: Unknown command "iiot orgs usres".',
      'hint: Did you mean: iiot orgs users',
    ],
    [`--orgs ${root} -- orgs`, 'error: After -- there is a group of commands, not a command.', 'hint: See iiot --help'],
    [
      `--orgs ${root} -- ${users} --help`,
      'error: iiot each runs a command many times, and does not show its help.',
      'hint: See iiot orgs users list --help',
    ],
    [`--orgs ${root} -- ${users} --org ${hall}`, `${noOrg} leave it out.`],
    [`--org ${root} -- ${users}`, `${noOrg} did you mean --orgs.`],
    [
      `--orgs ${root} -- templates update t --body-file -`,
      'error: iiot each runs a command many times, and standard input (-) or a pipe can be read once.',
      'hint: Give it a file',
    ],
    [
      `--orgs ${root} -- credentials list`,
      'error: iiot credentials list does not depend on organizations.',
      'hint: Run it once: iiot credentials list',
    ],
    [`--orgs ${root} -- each --orgs ${hall} -- ${users}`, `${notRun} iiot each: it runs a command for many itself.`],
    [
      `--orgs ${root} -- policies update --rows alarms.csv`,
      `${notRun} iiot policies update with --rows.`,
      `${once} file of rows`,
    ],
    [`--orgs ${root} -- ${users} --snapshot users.json`, `${notRun} iiot orgs users list with --snapshot.`, once],
    [`--profiles x --profile y -- ${users}`, `error: ${sameForAll('--profile')}`, 'hint: Leave out --profile'],
  ])('refuses %s', async (line, sentence, advice = hint) => {
    expect(await someone.iiot(['each', ...line.split(' ')])).toEqual(failed(2, sentence, advice));
    expect(someone.requests).toEqual([]);
  });

  it('refuses a known list of commands', () => {
    const alone = commands.filter(({ without }) => without.each !== undefined).map(({ name }) => name);
    expect(alone.sort().join(', ')).toBe(
      'credentials create, credentials rotate, devices custom-info import, each, history, login, login m2m, login token, logout, mcp, orgs delete, ' +
        'profiles list, templates edit, templates preview, templates pull, templates push',
    );
  });
});

it('Tab completes the profiles before --, and the command after it', async () => {
  const tab = async (...words: string[]) => (await someone.iiot(['__complete', 'fish', 'each', ...words])).stdout;
  await withPlants();
  expect(await tab('--profiles', 'plant-1')).toContain('plant-1');
  expect(await tab('--orgs', root, '--', 'orgs', 'us')).toContain('users');
  expect(await tab('--orgs', root, '--', 'orgs', 'users', 'list', '--role', '')).toContain('operator');
});

describe('iiot each on a failing platform', () => {
  const withAnswers = (fetch: (url: string, init: { readonly method?: string }) => Promise<Response>) => {
    someone = newPerson({ ...tokenOnly, fetch });
  };

  it('stops after three failures in a row, and counts those not tried', async () => {
    withAnswers(async () => new Response('', { status: 502 }));
    const orgs = Array.from({ length: 20 }, (_, at) => `${root.slice(0, -2)}${at + 10}`).join(',');
    const { exit, stderr } = await forOrgs(orgs, '--concurrency', '1', '--retries', '0', '--', ...admins);
    expect([exit, someone.requests.length]).toEqual([8, 3]);
    expect(stderr).toContain('error: 3 of 20 organizations failed, 17 of 20 organizations not tried.\n');
  });

  it('continues with the profiles of another platform if one is down', async () => {
    const none = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, IIOT_BASE_URL: undefined };
    someone = newPerson({
      env: { ...none, IIOT_ORG: undefined },
      fetch: async (url) => {
        if (url.endsWith('/connect/token'))
          return Response.json({ access_token: 'a-token-of-the-tests', expires_in: 3600 });
        return url.includes('down') ? new Response('', { status: 502 }) : Response.json([{ userId: 'ada' }]);
      },
    });
    const names = ['down-1', 'down-2', 'down-3', 'down-4', 'up-1', 'up-2'];
    const ofEach = (record: (base: string) => object) =>
      Object.fromEntries(names.map((name) => [name, record(`https://${name.split('-')[0]}.example`)]));
    const client = { flow: 'm2m', clientId: 'c', clientSecret: 'sandbox-secret' };
    const logins = ofEach((base) => ({ ...client, origin: base, base }));
    const profiles = ofEach((baseUrl) => ({ baseUrl, org: root }));
    someone.file('credentials.json', JSON.stringify({ version: 1, logins }));
    someone.file('config.json', JSON.stringify({ version: 1, current: 'up-1', profiles }));
    const words = ['--concurrency', '1', '--retries', '0', '-o', 'id', '--', ...admins];
    const { exit, stdout, stderr } = await forProfiles('*', ...words);
    expect([exit, stdout]).toEqual([9, 'up-1\tada\nup-2\tada\n']);
    expect(stderr).toContain('error: 3 of 6 profiles failed, 1 of 6 profiles not tried.\n');
  });

  it('does not repeat a change that may have been applied', async () => {
    withAnswers(async (url, { method }) =>
      method === 'PATCH' && !url.includes(root) ? new Response('', { status: 504 }) : Response.json({}),
    );
    const { exit, stderr } = await forOrgs(`${root},${hall}`, '--yes', '--', ...delay);
    expect([exit, stderr.split('\n').slice(-3)]).toEqual([
      9,
      ['error: 1 of 2 organizations of unknown outcome.', `hint: Check what happened to ${hall}`, ''],
    ]);
    const { details } = await errorOf(forOrgs(`${root},${hall}`, '--yes', '-o', 'json', '--', ...delay));
    expect(details).toMatchObject([{ orgId: hall, code: 'unavailable', status: 504, outcome: 'unknown' }]);
  });

  it('exits with 1 if jq fails on the result of changes that were made', async () => {
    withAnswers(async () => Response.json({}));
    const filter = ['--yes', '--jq', 'error("no")'];
    expect(await forOrgs(`${root},${hall}`, ...filter, '--', ...delay)).toMatchObject({ exit: 1 });
    expect(await someone.iiot([...delay, ...filter])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining(
        `The change was made (alert policy ${policy}); its result could not be filtered: jq failed on`,
      ),
    });
    withAnswers(async (url) => (url.includes(hall) ? new Response('{}', { status: 409 }) : Response.json({})));
    const { exit, stderr } = await forOrgs(`${root},${hall}`, ...filter, '--', ...delay);
    expect([exit, stderr]).toEqual([9, expect.stringContaining('1 of 2 organizations failed. jq failed on')]);
  });
});
