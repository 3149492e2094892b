import type { CertificateNames } from '../network/tls.ts';
import { type Finding, ok, warning } from './finding.ts';

const soon = 21;

/** A certificate's validity as a finding: a warning if it has expired or expires within three weeks. */
export function certificateFinding(
  check: string,
  { issuer, validFrom, validTo }: Omit<CertificateNames, 'subject'>,
  says: (validity: string) => string,
  hint: string,
  now: number,
): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / 86_400_000);
  const until = validTo.slice(0, 10);
  const left = days < 0 ? `expired on ${until}` : `${days} days left (until ${until})`;
  const isEarly = Date.parse(validFrom) > now;
  const sentence = says(`issued by ${issuer}, ${isEarly ? `valid only from ${validFrom.slice(0, 10)} on` : left}`);
  return days < soon || isEarly ? warning(check, sentence, hint) : ok(check, sentence);
}
