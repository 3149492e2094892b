/** Groups of OpenSSL's error codes. */
const unknownIssuer =
  /^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/;

/** Whether a certificate was refused because its issuer is not trusted here. */
export function isUnknownIssuer(code: string): boolean {
  return unknownIssuer.test(code);
}

const refusedClient = /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_[A-Z]+|ACCESS_DENIED)$/;

/** Whether the other side wants another client certificate, or requires one. */
export function isRefusedClient(code: string): boolean {
  return refusedClient.test(code);
}
