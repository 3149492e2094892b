/** Messages about certificates: the server's, refused on this side, and the client's, refused on the other side. */
import { isRefusedClient } from './tls-codes.ts';

type Words = readonly [reason: string, hint: string];

type RefusedCertificate = {
  readonly certificate?: CertificateFacts;
  /** Where its authority was looked for. */
  readonly places?: readonly string[];
};

type CertificateFacts = {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly names: readonly string[];
};

const clock = "Check this machine's clock; if it is right, the platform needs a new certificate";
const address = 'Check the base URL: iiot profiles show --origin';

/** The certificate in question, as far as a second handshake could find it. */
export function certificateWords(code: string, { certificate, places }: RefusedCertificate): Words {
  const authority = authorityHint(code, places);
  const issued = certificate ? ` (issued by ${certificate.issuer})` : '';
  if (code === 'CERT_HAS_EXPIRED') {
    return [`its certificate has expired${certificate ? `, on ${day(certificate.validTo)}` : ''}${issued}`, clock];
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return [
      `its certificate is not valid yet${certificate ? `, only from ${day(certificate.validFrom)} on` : ''}${issued}`,
      clock,
    ];
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = certificate?.names.slice(0, 5).join(', ');
    return [`its certificate is for another name${names ? `: ${names}` : ''}${issued}`, address];
  }
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') {
    return [`its certificate is self-signed${certificate ? ` (${certificate.subject})` : ''}`, authority];
  }
  if (/SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code)) {
    return [`its certificate comes from an authority that this machine does not trust${issued}`, authority];
  }
  return [`its certificate is not accepted (${code})${issued}`, authority];
}

function day(time: string): string {
  return time.slice(0, 10);
}

/** What to do about an unknown issuer, and where it was looked for. */
function authorityHint(code: string, places: readonly string[] | undefined): string {
  const isLeafAlone = /LEAF_SIGNATURE|ISSUER_CERT/.test(code);
  return [
    'If this authority is yours, install its certificate on this machine or name it with --ca-file FILE; checking cannot be switched off.',
    ...(isLeafAlone ? ['If it is a public one, the server leaves out an intermediate certificate.'] : []),
    ...(places ? [`Looked in: ${places.join(', ')}.`] : []),
    'See iiot doctor',
  ].join(' ');
}

const clientOption = 'Give one with --client-cert FILE and --client-key FILE';

export const checkClient = 'Check --client-cert; iiot doctor shows which one is used, and when it expires';

/** Why the other side refuses our certificate, or the lack of one. */
export function clientWords(code: string, isShown: boolean): Words | undefined {
  if (isRefusedClient(code)) {
    const word = /ALERT_([A-Z_]+)$/.exec(code)?.[1]?.toLowerCase().replaceAll('_', ' ');
    return isShown
      ? [`it does not accept the client certificate (${word})`, checkClient]
      : ['it asks for a client certificate', clientOption];
  }
  if (!/ALERT_HANDSHAKE_FAILURE/.test(code)) return undefined;
  // In TLS 1.2 this code means a missing certificate, among other things.
  const hint = isShown ? checkClient : `It may ask for a client certificate. ${clientOption}; see: iiot doctor`;
  return ['it refused the TLS handshake', hint];
}
