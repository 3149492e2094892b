import { hashOf } from '../identity/secrets.ts';
import { findOrganization } from '../operations/find.ts';
import { ids } from './ids.ts';
import { seedNotifications } from './seed-notifications.ts';
import type { Role, SandboxWorld } from './world.ts';

export type WorldSize = {
  /** Users of the root organization; 2,000 by default. */
  readonly users?: number;
  /** Devices, named press-0001 and so on; 200 by default. There are also some with unusual IDs. */
  readonly devices?: number;
  /** Of the tenant; by default always the same. */
  readonly tenantId?: string;
};

/** The initial world of every sandbox: the same for the same seed, size and tenant, on every machine and day. */
export function seedWorld(
  seed: number,
  { users = 2000, devices = 200, tenantId = ids.tenantId }: WorldSize = {},
): SandboxWorld {
  const world: SandboxWorld = {
    tenant: { tenantId, name: 'Factory', tenantPath: ids.tenantPath, appPath: ids.appPath },
    accounts: new Map(),
    users: new Map(),
    organizations: new Map(),
    devices: new Map(),
    policies: new Map(),
    templates: new Map(),
    channels: new Map(),
    batches: new Map(),
    credentials: new Map(),
  };
  const random = seededRandom(seed);
  for (const [orgId, name, parentId] of organizations)
    world.organizations.set(orgId, { orgId, name, parentId, members: new Map() });
  // Roles are drawn from another seed, so that another list of names changes no role.
  seedUsers(world, random, seededRandom(seed ^ 1207), users);
  seedDevices(world, random, devices);
  seedNotifications(world);
  seedCredential(world);
  return world;
}

const organizations = [
  [ids.root, 'Factory', null],
  [ids.empty, 'Line 7', ids.root],
  [ids.withDevices, 'Assembly', ids.root],
  [ids.withSubOrganizations, 'North Hall', ids.root],
  [ids.subOrganization, 'North Hall, Line 1', ids.withSubOrganizations],
  [ids.withOtherUsers, 'Paint Shop', ids.root],
  [ids.withoutUsers, 'Storage', ids.root],
  [ids.oddlyNamed, "Café Su\u0308d & O'Brien \u200e東京", ids.root],
] as const;

/** Names of people as in a modern factory: in many scripts, including some that terminals and spreadsheets handle badly. */
const nameGroups = [
  names(
    6,
    'Anna, Ben, Clara, David, Emma, Felix, Greta, Hugo, Ida, Jonas, Lena, Max, Nora',
    'Becker, Fischer, Hoffmann, Klein, Müller, Richter, Schäfer, Voß, Wagner, Zimmermann',
  ),
  names(
    5,
    'Aoife, Charlotte, Declan, Grace, Harry, Imogen, Liam, Niamh, Oliver, Siân, Thomas',
    "D'Arcy, Hughes, MacLeod, O'Brien, O'Neill, Patel, Smith, Smythe-Jones, Taylor, Ward",
  ),
  names(
    4,
    'Álvaro, Beatriz, Chloé, Élodie, Giulia, Íñigo, João, Lucía, Matteo, Noël, Sofía',
    "da Silva, de la Cruz, Dell'Acqua, Ferreira, García, Lefèvre, Núñez, Rossi, São João",
  ),
  names(
    3,
    'Łukasz, Žofie, Agnieszka, Dušan, Ágnes, Őrs, Ştefan, Çağla, İlker, Åsa, Øyvind, Þóra',
    'Dvořák, Jóhannsdóttir, Kovács, Łuczak, Nowak, Østergård, Popescu, Şahin, Yılmaz',
  ),
  names(
    2,
    'Анна, Богдан, Дмитро, Елена, Иван, Наталія, Ольга, Сергей, Юлия',
    'Ангелова, Гончар, Ковальчук, Павлов, Петренко, Соколов, Шевченко',
  ),
  names(2, '伟, 芳, 秀英, 娜, 静, 强, 美玲, 建国', '王, 李, 张, 刘, 陈, 欧阳, 林, 黃'),
  names(2, 'さくら, 大輔, 美咲, 健太, ユキ, 翔, 陽子', '佐藤, 鈴木, 高橋, 田中, 渡辺, 小林'),
  names(1, '민준, 서연, 지우, 하준, 은지', '김, 이, 박, 최, 정'),
  names(1, 'أحمد, فاطمة, يوسف, ليلى, عمر', 'الحسن, النجار, حداد, منصور'),
  names(1, 'नेहा, राहुल, प्रिया, अर्जुन, दीपा', 'शर्मा, वर्मा, सिंह, गुप्ता'),
  names(1, 'สมชาย, มาลี, อรุณ, Nguyễn, Thị Hồng, Văn Đức', 'ใจดี, ศรีสุข, Trần, Lê, Phạm'),
] as const;

/** @param weight how often the group is drawn, relative to the others */
function names(weight: number, given: string, family: string) {
  return { weight, given: given.split(', '), family: family.split(', ') };
}

const weightedGroups = nameGroups.flatMap((group) => Array.from({ length: group.weight }, () => group));

/** The number of groups at the beginning that are written in Latin letters. */
const latinGroups = 4;

/** The first users after the accounts, whom examples refer to. */
const firstNames = ["Miles O'Shea", 'Zoë Kühn'] as const;

/** The number of the first user with an odd name: the first page of a list is an ordinary plant. */
export const firstOdd = 60;

/** Names that are hard to show, to type or to store. */
export const oddNames = [
  'Zoë 🛠️ Kühn',
  'Red \u001b[31mAlert\u001b[0m',
  'Bidi \u202egnp.tfihs',
  'Tab\tand\nLine',
  'Ame\u0301lie Decomposed',
  '=HYPERLINK("//example","Sum")',
  '<b onclick="alert(1)">Bold</b> & "Sons"',
  'משה כהן',
  '山田 花子',
  '  Spaces Around  ',
  'Al',
  'Maximiliane Theodora Freifrau von und zu Oberunterschleißheim-Wolkenkuckucksheim auf der Höhe',
] as const;

function seedUsers(world: SandboxWorld, random: Random, roles: Random, count: number): void {
  const root = findOrganization(world, ids.root);
  addAccount(world, ids.admin, ids.adminPassword, 'ada', 'Ada Okonkwo');
  addAccount(world, ids.viewer, ids.viewerPassword, 'vic', 'Vic Fröhlich');
  for (const { orgId, members } of world.organizations.values()) {
    if (orgId !== ids.withoutUsers) members.set('ada', 'admin');
  }
  root.members.set('vic', 'viewer');
  const paintShop = findOrganization(world, ids.withOtherUsers);
  paintShop.members.set('vic', 'viewer');
  const others = Math.max(0, count - root.members.size);
  for (let number = 1; number <= others; number++) {
    const userId = `user-${String(number).padStart(4, '0')}`;
    const name = number < firstOdd ? ordinaryName(number) : (oddNames[number - firstOdd] ?? personName(random));
    world.users.set(userId, { userId, name, email: `${userId}@factory.example` });
    root.members.set(userId, roleOf(roles));
    if (number % 50 === 0) paintShop.members.set(userId, 'operator');
  }
}

function addAccount(world: SandboxWorld, account: string, password: string, userId: string, name: string): void {
  world.accounts.set(account, { account, password, userId });
  world.users.set(userId, { userId, name, email: account });
}

/** A name for a number, never the same one twice: the strides have no factor in common with the lengths of the lists. */
function ordinaryName(number: number): string {
  const { given, family } = nameGroups[number % latinGroups] ?? nameGroups[0];
  const step = Math.floor(number / latinGroups);
  return firstNames[number - 1] ?? `${given[(step * 5) % given.length]} ${family[(step * 7) % family.length]}`;
}

function personName(random: Random): string {
  const { given, family } = pick(random, weightedGroups);
  return `${pick(random, given)} ${pick(random, family)}`;
}

function roleOf(random: Random): Role {
  const draw = random();
  if (draw < 0.05) return 'admin';
  return draw < 0.4 ? 'operator' : 'viewer';
}

const oddDeviceIds = [
  'Hall 3/Press 7',
  '100%',
  'a%2Fb',
  'ライン-1',
  'plus+amp&hash#query?',
  '"quoted"',
  'semi;colon,comma',
  '.hidden',
  'c:\\line\\4',
] as const;

function seedDevices(world: SandboxWorld, random: Random, count: number): void {
  const add = (deviceId: string, orgId: string, customInfo: readonly (readonly [string, string | null])[]) =>
    world.devices.set(deviceId, { deviceId, orgId, customInfo: new Map(customInfo) });
  for (let number = 1; number <= count; number++) {
    const line = String(1 + Math.floor(random() * 6));
    add(`press-${String(number).padStart(4, '0')}`, ids.root, [
      ['line', line],
      ['inspectedBy', null],
    ]);
  }
  for (const deviceId of oddDeviceIds) add(deviceId, ids.root, []);
  for (const number of [1, 2, 3]) add(`robot-000${number}`, ids.withDevices, [['cell', String(number)]]);
}

function seedCredential(world: SandboxWorld): void {
  world.credentials.set(ids.credential, {
    clientCredentialId: ids.credential,
    clientId: ids.clientId,
    secretHash: hashOf(ids.clientSecret),
    name: 'Sandbox machine',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiredAt: null,
    scopes: [],
    deviceIds: [],
  });
}

/** Numbers from 0 up to but not including 1, the same ones for the same seed. */
export type Random = () => number;

/** A small generator of good quality (sfc32), for worlds that are identical on every machine. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state: readonly [a: number, b: number, c: number, counter: number] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = () => {
    const [a, b, c, counter] = state;
    const sum = (a + b + counter) | 0;
    state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + sum) | 0, (counter + 1) | 0];
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** @param list is not empty */
function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T; // the number is below its length
}
