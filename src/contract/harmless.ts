import { plainName } from '../text/alike.ts';
import { soundsSecret, soundsSecretInLogin } from '../text/secret-names.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import type { Schema } from './schema.ts';

/** Names in envelopes, and in errors of ABP, problem details and OAuth, which the interface does not list. */
const ofEnvelopes =
  'id items totalCount total count status success creationTime lastModificationTime error errors message code title detail details type instance field members traceId requestId error_description error_uri expires_in token_type scope';

function memberNames(schema: Schema | undefined): string[] {
  if (schema?.type === 'array') return memberNames(schema.items);
  if (schema?.type !== 'object') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...memberNames(inner)]);
}

const names = new Set(
  [
    ...operations.flatMap(({ params, body, responseSchema }: Operation) => [
      ...Object.keys(params),
      ...memberNames(body),
      ...memberNames(responseSchema),
    ]),
    ...ofEnvelopes.split(' '),
  ].map(plainName),
);

/** Whether traces may show the value of a member or parameter: the interface has its name, which does not suggest a secret. */
export function isHarmless(name: string, of: 'login' | 'other' = 'other'): boolean {
  return names.has(plainName(name)) && !(of === 'login' ? soundsSecretInLogin(name) : soundsSecret(name));
}
