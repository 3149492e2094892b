import { expect, it } from 'vitest';
import { readBearerRefusal } from '../../src/network/bearer-challenge.ts';

const why = "The audience 'iiot' is invalid";

it.each<[string, string, string, string[]?]>([
  ['as ASP.NET writes it', `Bearer error="invalid_token", error_description="${why}"`, `${why} (invalid_token)`],
  ['without words', 'Bearer error="invalid_token"', 'invalid_token'],
  ['without a code', `Bearer error_description="${why}."`, why],
  [
    'with one scope',
    'Bearer error="insufficient_scope", scope="iiot.write"',
    'insufficient_scope (scope iiot.write)',
    ['iiot.write'],
  ],
  [
    'with words and scopes',
    'Bearer realm="iiot", error="insufficient_scope", error_description="No right to write", scope="iiot.read  iiot.write"',
    'No right to write (insufficient_scope, scope iiot.read iiot.write)',
    ['iiot.read', 'iiot.write'],
  ],
  ['with scopes of no importance', 'Bearer error="invalid_token", scope="openid"', 'invalid_token'],
  ['in any case', 'bearer ERROR = invalid_token ,Error_Description= "a\\"b\\\\c"', 'a"b\\c (invalid_token)'],
  ['without commas', 'Bearer error="invalid_token" error_description="expired"', 'expired (invalid_token)'],
  ['after others', 'Negotiate YII=, Basic realm="error=no, Bearer", Bearer error="invalid_token"', 'invalid_token'],
  ['before others', 'Bearer error="invalid_token", Basic realm="x", error_description="no"', 'invalid_token'],
  ['in the second of two challenges', 'Bearer, Bearer error="invalid_token"', 'invalid_token'],
  ['for a DPoP token', 'DPoP algs="ES256", error="use_dpop_nonce"', 'use_dpop_nonce'],
  ['with an unfinished text', 'Bearer error="invalid_token", error_description="expired', 'invalid_token'],
])('the reason for refusing a token is read %s', (_, header, reason, scopes = []) => {
  expect(readBearerRefusal(header)).toEqual({ reason, scopes });
});

it.each([
  '',
  'Bearer',
  'Bearer realm="iiot"',
  'Bearer scope="iiot.write"',
  'Basic error="invalid_token"',
  'error="x"',
  'Bearer error=""',
  '"Bearer error=x"',
])('the reason for refusing a token is not found in %j', (header) => {
  expect(readBearerRefusal(header)).toBeUndefined();
});
