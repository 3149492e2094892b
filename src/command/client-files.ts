import { usage } from '../failure.ts';
import type { ClientFiles } from '../network/client-certificate.ts';
import type { Settings, SettingWithOrigin } from './settings.ts';

/** The client certificate's files, and the only origin that gets it; or why the profile's certificate is not used. */
type ClientUse = { readonly files: ClientFiles; readonly origin: string } | { readonly unused: string };

/**
 * The client certificate of the settings. Like a login, a profile's certificate is used only for the profile's platform. A key from a source
 * with lower precedence than the certificate belongs to another certificate, and is ignored.
 * @throws usage for a key without a certificate
 */
export function clientUse({ resolved, stored }: Pick<Settings, 'resolved' | 'stored'>): ClientUse | undefined {
  const { clientCert: cert, clientKey, baseUrl } = resolved;
  if (!cert && clientKey) {
    const hint = 'Give its certificate with --client-cert FILE, IIOT_CLIENT_CERT or the key clientCert of the profile';
    throw usage(`There is a client key (${clientKey.value}, ${clientKey.from}) without its certificate.`, hint);
  }
  if (!cert || !baseUrl) return undefined;
  const { origin, protocol } = new URL(baseUrl.value);
  if (protocol === 'http:') return { unused: `${cert.value} (${cert.from}) is not used over plain http` };
  if (rank(cert) === 0 && stored.baseUrl !== undefined && originOf(stored.baseUrl) !== origin) {
    return { unused: `${cert.value} (${cert.from}) belongs to ${stored.baseUrl} and is not sent to ${origin}` };
  }
  const key = clientKey && rank(clientKey) >= rank(cert) ? clientKey : undefined;
  return { files: { cert, ...(key && { key }) }, origin };
}

function rank({ from }: SettingWithOrigin): number {
  return from.startsWith('--') ? 2 : from.startsWith('IIOT_') ? 1 : 0;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
