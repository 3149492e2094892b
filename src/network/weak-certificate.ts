/** OpenSSL's messages, and the words for them that follow "the certificate". */
const weaknesses: readonly (readonly [RegExp, string])[] = [
  [/\bca (signature digest algorithm|md) too/i, 'is signed with SHA-1 or MD5, or one above it is'],
  [/\bee (certificate )?key too/i, 'has a key that is too short to be safe'],
  [/\bca (certificate )?key too/i, 'has one above it whose key is too short to be safe'],
];

/** Says why OpenSSL refuses a weak certificate, judged by its message, because Node gives the same code for all weaknesses, or none. */
export function weaknessOf(error: unknown): string | undefined {
  return error instanceof Error ? weaknesses.find(([words]) => words.test(error.message))?.[1] : undefined;
}
