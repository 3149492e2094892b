import type { FailureKind } from '../failure.ts';
import type { CertificateNames } from '../network/certificate.ts';

/** The result of one check. The command ends with the kind of the first failure. */
export type Finding = {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failure';
  readonly message: string;
  readonly hint?: string;
  readonly kind?: FailureKind;
};

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function warning(check: string, message: string, hint: string): Finding {
  return { check, status: 'warning', message, hint };
}

export function failed(check: string, kind: FailureKind, message: string, hint: string): Finding {
  return { check, status: 'failure', message, hint, kind };
}

const warningDays = 21;

/** A finding on a certificate's validity: a warning if it is not valid yet, has expired, or expires within three weeks. */
export function validityFinding(
  check: string,
  { issuer, validFrom, validTo }: Omit<CertificateNames, 'subject'>,
  sentenceFor: (validity: string) => string,
  hint: string,
  now: number,
): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / 86_400_000);
  const until = validTo.slice(0, 10);
  const remaining = days < 0 ? `expired on ${until}` : `${days} days left (until ${until})`;
  const isEarly = Date.parse(validFrom) > now;
  const validity = isEarly ? `valid only from ${validFrom.slice(0, 10)} on` : remaining;
  const sentence = sentenceFor(`issued by ${issuer}, ${validity}`);
  return days < warningDays || isEarly ? warning(check, sentence, hint) : ok(check, sentence);
}
