/** Which of OpenSSL's codes mean what. */
const unknownIssuer =
  /^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/;

/** Whether a certificate was refused because nobody here vouches for it. */
export function isUnknownIssuer(code: string): boolean {
  return unknownIssuer.test(code);
}

const refusedClient = /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_[A-Z]+|ACCESS_DENIED)$/;

/** Whether the other side wants another certificate of the client, or one at all. */
export function isRefusedClient(code: string): boolean {
  return refusedClient.test(code);
}
