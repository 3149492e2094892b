/** Options and variables under the names that they had, or options that one command had, and what there is now. Kept for as long as the version is 0. */
const former: Readonly<Record<string, string>> = {
  IIOT_TIMEOUT: 'IIOT_REQUEST_TIMEOUT',
  '--timeout': '--request-timeout',
  '--failed-to': '--failed-file',
  '--protected-profile': '--confirm-profile',
  '--on-error': '--skip-invalid (to send the good rows) or --fail-fast (to stop at the first that fails)',
  '--results': '--results-file',
  '--enable': '--enabled',
  '--disable': '--disabled',
  '--from-file': '--body-file',
  '--data': '--state',
  '--from': '--import',
  'devices custom-info set --rows': 'iiot devices custom-info import FILE',
  'profiles set --protected': 'iiot profiles set NAME protected=true',
  'profiles set --no-protected': 'iiot profiles set NAME protected=false',
  'policies update --edit': '--body-file FILE',
  'channels update --edit': '--body-file FILE',
  'policies update --results': '-o ndjson',
  'channels update --results': '-o ndjson',
  'templates update --results': '-o ndjson',
  'credentials delete --results': '-o ndjson',
  'sandbox tour --port': 'iiot sandbox start --port N',
  'sandbox tour --fault': 'iiot sandbox exec --fault RULE',
};

/**
 * "--failed-to is called --failed-file", "--edit is now --body-file FILE"; undefined for a word that was never in use.
 * @param exists whether a name can be used in this place, for an option that not every command had
 * @param command the command that it stands behind
 */
export function nameNow(
  word: string,
  exists: (name: string) => boolean = () => true,
  command = '',
): string | undefined {
  const [own, name] = [`${command} ${word}`, word].map((key) => (Object.hasOwn(former, key) ? former[key] : undefined));
  if (own !== undefined) return `${word} is now ${own}`;
  return name !== undefined && exists(name.split(' ')[0] ?? '') ? `${word} is called ${name}` : undefined;
}
