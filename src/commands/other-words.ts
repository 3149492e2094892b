/** The words that other tools use for our commands and options. Loaded only for a wrong command line. */

type OtherWords = Readonly<Record<string, readonly string[]>>;

/** Our words, each with the words of other tools. If several of a command's options fit, the first is suggested. For the words under '', nothing is. */
export const otherWords: OtherWords = {
  orgs: ['organizations'],
  'orgs users': ['user', 'users'],
  'devices custom-info import': ['import'],
  policies: ['policy', 'alerts', 'alert-policies'],
  templates: ['notifications', 'notification-templates'],
  'templates push': ['templates apply', 'templates rollback', 'templates validate'],
  'templates pull': ['templates export'],
  'channels update CHANNEL-ID --enabled': ['channels enable'],
  'channels update CHANNEL-ID --disabled': ['channels disable'],
  'batches cron EXPRESSION': ['batches validate'],
  credentials: ['secrets', 'client-credentials'],
  'credentials delete': ['credentials revoke'],
  'sandbox exec': ['sandbox run'],
  login: ['auth', 'signin', 'sign-in'],
  'login status': ['whoami', 'status'],
  'login token': ['tokens'],
  logout: ['signout', 'auth logout'],
  profiles: ['config', 'configure', 'context'],
  'profiles show': ['profiles get', 'profiles describe'],
  'profiles set NAME KEY=VALUE': ['profiles create', 'profiles add'],
  'profiles set NAME org=ID': ['orgs use'],
  history: ['logs', 'history list', 'history ls'],
  'history show': ['history get'],
  '--all': ['--paginate'],
  '--skip': ['--page', '--offset'],
  '--sort': ['--sort-by', '--order-by'],
  '--columns': ['--fields'],
  '--base-url': ['--url', '--host', '--port'],
  '--ca-file': ['--insecure'],
  '--output': ['--format', '--yaml', '--csv'],
  '--query-param': ['--query'],
  '--for-spreadsheet': ['--csv-safe', '--bom', '--excel'],
  '--jq': ['--query', '--filter'],
  '--cron': ['--schedule'],
  '--alert-level': ['--threshold'],
  '--expires': ['--expires-in', '--expires-at', '--expiration'],
  '--org': ['--organization', '--org-id'],
  '--profile': ['--context'],
  '--body-file': ['--input', '--data', '-d', '--file', '-f'],
  '--orgs-file': ['--file'],
  '--org-name': ['--confirm', '--force'],
  '--yes': ['--confirm', '--force'],
  '': ['--sort', '--watch', '--set', '--export', '--date', '--content-type', '--client'],
};

/** The calls of `iiot api` for verbs that have no command, each with those verbs. `*` is the path of the resource. */
export const otherCalls: OtherWords = {
  '*': ['list', 'ls'],
  '*/ID': ['get', 'show', 'describe'],
  'POST *': ['add', 'create'],
  'POST */ID/ACTION': ['run', 'test'],
  'PATCH */ID': ['update', 'enable', 'disable'],
  'DELETE */ID': ['delete', 'rm'],
};

export function ownWordsFor(word: string, words = otherWords): readonly string[] {
  return Object.keys(words).filter((key) => words[key]?.includes(word));
}
