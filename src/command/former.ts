/** Options and variables under the names that they had, and what they are called now. Kept for as long as the version is 0. */
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
};

/**
 * "--failed-to is called --failed-file"; undefined for a word that was never in use.
 * @param exists whether a name can be used in this place, for an option that not every command had
 */
export function nameNow(word: string, exists: (name: string) => boolean = () => true): string | undefined {
  const name = Object.hasOwn(former, word) ? former[word] : undefined;
  return name !== undefined && exists(name.split(' ')[0] ?? '') ? `${word} is called ${name}` : undefined;
}
