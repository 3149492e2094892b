/** What other tools call what this one has, and how to ask a platform for what it has not. Loaded only for a wrong command line. */

type OtherWords = Readonly<Record<string, readonly string[]>>;

/** By what to type here, what is typed elsewhere. Of several options of a command, the first is meant; by '', what has no match, however similar one is. */
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

/** What `iiot api` would call on a platform that has what we have no command for, at *. */
export const otherCalls: OtherWords = {
  '*': ['list', 'ls'],
  '*/ID': ['get', 'show', 'describe'],
  'POST *': ['add', 'create'],
  'POST */ID/ACTION': ['run', 'test'],
  'PATCH */ID': ['update', 'enable', 'disable'],
  'DELETE */ID': ['delete', 'rm'],
};

/** What to type here for the word of another tool. */
export function ownWordsFor(word: string, words = otherWords): readonly string[] {
  return Object.keys(words).filter((key) => words[key]?.includes(word));
}
