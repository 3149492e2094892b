import { expect, it } from 'vitest';
import { isAnonymous, type Place, placeWords, readPlace, sameLogin, sameTenant } from '../src/place.ts';

const base = 'https://h.example/prod';
const at = (there: string, place: Place): Place => ({ ...place, base: there });
const [id, otherId] = ['aaaaaaaa-0000-4000-8000-00000000000a', 'bbbbbbbb-0000-4000-8000-00000000000b'];
const of = (tenantId: string, place: Place): Place => ({ ...place, tenantId });
const ada = { base, tenant: 'acme', account: 'ada@x.test' };
const [globexAda, bob, nobody] = [{ ...ada, tenant: 'globex' }, { ...ada, account: 'bob@x.test' }, { base }];
/** Of an account nothing but its name is known. */
const [a, b] = [
  { base, account: 'a@x.test' },
  { base, account: 'b@x.test' },
];
const [robot, robot2] = [
  { base, clientId: 'c1' },
  { base, clientId: 'c2' },
];
/** Credentials that others were rotated into. */
const [rotated, again] = ['c3', 'c9'].map((clientId) => ({ base, clientId, firstClientId: 'c1' })) as [Place, Place];
const rotated2 = { base, clientId: 'c4', firstClientId: 'c2' };
const app = { clientId: 'app' };

it.each([
  ['one person', ada, ada, 'same', 'same'],
  ['two accounts of a tenant', ada, bob, 'same', 'other'],
  ['one account of two tenants', ada, globexAda, 'other', 'other'],
  ['one account at two platforms of a host', ada, at('https://h.example/staging', ada), 'other', 'other'],
  ['a platform below another one', ada, at('https://h.example', ada), 'other', 'other'],
  ['one tenant ID at two platforms', of(id, robot), at('https://h.example', of(id, robot)), 'other', 'other'],
  ['an account in another case', ada, { ...ada, account: 'Ada@X.test' }, 'same', 'same'],
  ['a path of a tenant in another case', ada, { ...ada, tenant: 'Acme' }, 'other', 'other'],
  ['a GUID in another case', of(id, ada), of(id.toUpperCase(), ada), 'same', 'same'],
  ['two tenants of one path, whose ID decides', of(id, ada), of(otherId, ada), 'other', 'other'],
  ['one tenant by two paths, whose ID decides', of(id, ada), of(id, globexAda), 'same', 'same'],
  ['one tenant whose ID is known once', of(id, ada), ada, 'same', 'same'],
  ['a path here and an ID there', ada, of(id, { base, account: ada.account }), 'unknown', 'unknown'],
  ['one account of unknown tenants', a, a, 'unknown', 'unknown'],
  ['two accounts of unknown tenants', a, b, 'unknown', 'other'],
  ['a person and a machine', ada, robot, 'unknown', 'other'],
  ['a person and a machine of a tenant', of(id, ada), of(id, robot), 'same', 'other'],
  ['one machine', robot, robot, 'same', 'same'],
  ['two machines', robot, robot2, 'unknown', 'other'],
  ['two machines of a tenant', of(id, robot), of(id, robot2), 'same', 'other'],
  ['two machines of two tenants', of(id, robot), of(otherId, robot2), 'other', 'other'],
  ['a client in another case', robot, { base, clientId: 'C1' }, 'unknown', 'other'],
  ['a machine and its successor', robot, rotated, 'same', 'same'],
  ['two successors of one machine', rotated, again, 'same', 'same'],
  ['successors of two machines', rotated, rotated2, 'unknown', 'other'],
  ['a machine and its successor at another platform', robot, at('https://h.example', rotated), 'other', 'other'],
  ['two persons with an application', { ...a, ...app }, { ...b, ...app }, 'unknown', 'other'],
  ['a person with an application that is also a machine', { ...a, clientId: 'c1' }, robot, 'unknown', 'other'],
  ['nobody that is known', nobody, nobody, 'unknown', 'unknown'],
  ['somebody and nobody that is known', ada, nobody, 'unknown', 'unknown'],
  ['one login for two organizations', { ...ada, org: 'o1' }, { ...ada, org: 'o2' }, 'same', 'same'],
] as const)('two places are compared both ways by tenant and login: %s', (_, one, two, tenant, login) => {
  expect([sameTenant(one, two), sameLogin(one, two)]).toEqual([tenant, login]);
  expect([sameTenant(two, one), sameLogin(two, one)]).toEqual([tenant, login]);
});

it.each([
  [{ base }, base],
  [{ base, org: 'o1' }, base],
  [ada, `${base}, tenant acme, as ada@x.test`],
  [{ ...ada, tenantId: id, clientId: 'app' }, `${base}, tenant acme, as ada@x.test`],
  [{ ...rotated, tenantId: id }, `${base}, tenant ${id}, as c3`],
  [robot, `${base}, as c1`],
] as const)('the place %j is shown as "%s"', (place, words) => {
  expect(placeWords(place)).toBe(words);
});

it('two tenants with one path are shown with their IDs', () => {
  const [one, two] = [`${id.slice(0, -1)}1`, `${id.slice(0, -1)}2`].map((tenantId) => ({ ...ada, tenantId }));
  expect(placeWords(one as Place, two)).toBe(`${base}, tenant ${id.slice(0, -1)}1, as ada@x.test`);
});

it.each([ada, rotated, of(id, { base, org: 'o1' })])('a stored place is read unchanged: %j', (place) => {
  expect(readPlace(JSON.parse(JSON.stringify(place)))).toEqual(place);
});

it.each<readonly [unknown, Place | undefined]>([
  [{ base, tenant: 1, account: null, org: ['o1'] }, { base }],
  ...[{ tenant: 'acme' }, { base: 1 }, base, null, undefined].map((kept) => [kept, undefined] as const),
])('the stored value %j is read as the place %j', (kept, place) => {
  expect(readPlace(kept)).toEqual(place);
});

it.each([ada, robot, { base, tenantId: id }, { base, tenant: 'acme' }, a])(
  'the place %j names a tenant or an account',
  (place) => {
    expect([isAnonymous(place), isAnonymous({ base, org: 'o1' })]).toEqual([false, true]);
  },
);
