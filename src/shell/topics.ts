import { everyExitCode } from './exit-codes.ts';

type Rows = readonly (readonly [string, string])[];

/** What `iiot help TOPIC` explains beside the commands: paragraphs, and rows of a word and its meaning. */
export type Topic = {
  readonly name: string;
  readonly summary: string;
  readonly text: () => readonly (string | Rows)[];
};

/** Every variable that is read, and what it is for. */
export const variables: Rows = [
  ['IIOT_PROFILE', 'the profile, as --profile'],
  ['IIOT_BASE_URL', 'the platform, as --base-url'],
  ['IIOT_TENANT, IIOT_APP', 'path segments of the tenant and the application, for login'],
  ['IIOT_ORG', 'the organization, as --org'],
  ['IIOT_OUTPUT', 'the format, as --output'],
  ['IIOT_NO_INPUT', 'set to anything but 0 or false: never ask, as --no-input'],
  ['IIOT_TIMEOUT', 'per request, as --timeout'],
  ['IIOT_CONFIG_DIR', 'the folder of config.json and credentials.json'],
  ['IIOT_TOKEN', 'an access token; comes before everything else'],
  ['IIOT_CLIENT_ID', 'a client credential, together with one of the next two'],
  ['IIOT_CLIENT_SECRET', 'its secret'],
  ['IIOT_CLIENT_SECRET_FILE', 'a file that holds its secret'],
  ['IIOT_ACCOUNT, IIOT_PASSWORD', 'for iiot login alone'],
  ['IIOT_CA_FILE, NODE_EXTRA_CA_CERTS', 'further certificate authorities, as --ca-file'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the way out; loopback is never proxied'],
  ['NO_COLOR, FORCE_COLOR, TERM=dumb', 'colour'],
  ['ACCESSIBLE', 'set to 1: questions and progress are plain lines that never redraw'],
  ['CI', 'set: nobody is asked anything'],
];

export const topics: readonly Topic[] = [
  {
    name: 'environment',
    summary: 'Variables that are read',
    text: () => ['Options win over variables, and variables over the profile.', '', variables],
  },
  {
    name: 'exit-codes',
    summary: 'What the exit code says',
    text: () => [
      'A command ends with one of these; error.code is in the JSON error of -o json.',
      '',
      everyExitCode().map(({ code, error, when }) => [String(code), error === null ? when : `${error}: ${when}`]),
    ],
  },
  {
    name: 'output',
    summary: 'Formats, columns, jq, and what goes where',
    text: () => [
      'The result goes to stdout and nothing else does; questions, notices, traces and errors go to stderr.',
      '',
      [
        ['-o table', 'columns on a terminal; in a pipe tab-separated, without header'],
        ['-o json', 'an array for lists, an object for one thing'],
        ['-o ndjson', 'one JSON value a line, as pages arrive'],
        ['-o yaml', 'one document'],
        ['-o csv', 'with a header; --csv-safe defuses formulas'],
        ['-o id', 'identifiers alone, one a line'],
      ],
      '',
      '--columns A,B chooses and orders fields of table and csv; a nested one has a dotted name.',
      '--jq EXPR filters the whole result with jq: strings come out raw, one a line.',
      "Field names are the platform's own, and fields that this tool does not know pass through.",
    ],
  },
  {
    name: 'authentication',
    summary: 'Signing in as a person and as a machine',
    text: () => [
      'A person signs in with: iiot login. The access token lasts two hours and is renewed as long as the platform allows.',
      'A machine uses a client credential: iiot login m2m stores one in the profile; in CI, IIOT_BASE_URL, IIOT_CLIENT_ID and IIOT_CLIENT_SECRET are all that is needed.',
      '',
      "Which login is used, first found first: IIOT_TOKEN, then IIOT_CLIENT_ID with its secret, then the profile's.",
      'Tokens and secrets belong to the platform they came from and are never sent to another.',
      '',
      [
        ['iiot login status --check', 'who am I, and does the platform agree?'],
        ['iiot login token', 'an access token for other programs'],
        ['iiot logout', 'forget it all'],
      ],
    ],
  },
];
