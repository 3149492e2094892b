/** A platform whose responses to changes are lost or say nothing clear, whether it has applied them or not. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listening } from './listening.ts';
import { type Person, person } from './world.ts';

/** What comes back instead of the response. */
export const faults = {
  lost: [],
  '202': [202],
  '408': [408],
  '429': [429, '', { 'retry-after': '0' }],
  '500': [500, { error: { message: 'Oops.' } }],
  '502': [502, '<html><title>Bad gateway</title>'],
  '503 bare': [503],
  '503 with Retry-After': [503, '', { 'retry-after': '0' }],
  '503 with an error': [503, { error: { message: 'Not now.' } }],
  '504': [504],
  'the challenge of a firewall': [202, '', { 'x-amzn-waf-action': 'challenge' }],
  'a page with 200': [200, '<html><title>Welcome</title>'],
  'a page with 204': [204, '', { 'content-type': 'text/html' }],
} as const satisfies Record<string, Answer>;

type Answer = readonly [status?: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** A response that looks right to a client: a policy as it was. */
const unchanged: Answer = [200, { delay: 60, description: 'old', alertLevel: '>80', channelIds: ['b', 'a'] }];

export type Fault = keyof typeof faults;

/** One attempt of a change: what comes back, and whether the change was applied. */
export type Attempt = {
  readonly fault: Fault | 'hangs' | 'shows old values' | 'an empty 201' | 'an empty 404';
  readonly applies: boolean;
};

type Stored = Record<string, unknown>;

export async function doubtfulPlatform() {
  const credentials: Stored[] = [];
  const template: Stored = {
    templateId: 'template_1',
    name: 'Hot',
    subject: 'old',
    content: 'Old',
    channelTypes: [],
    tags: [],
  };
  const state = {
    credentials,
    template,
    /** What the coming attempts of changes meet; the last one stays if `isLasting`. */
    plan: [] as Attempt[],
    isLasting: false,
    organization: true,
    /** What every list answers, instead of itself. */
    reading: undefined as Answer | undefined,
    /** Whether it finds no credential to delete, although it lists it. */
    deletesNothing: false,
    /** Of the list of credentials, which does not say how many there are. */
    pageSize: 100,
    onCreated: (): unknown => undefined,
    /** Called when a request gets no response and keeps its connection. */
    onHang: (): unknown => undefined,
    /** Whether its responses have a Date. */
    tellsTime: true,
    batches: [] as string[],
    /** The values that changes without a record of their own were applied with. */
    applied: [] as string[],
    /** Every request, without its query. */
    requests: [] as string[],
    /** For how many ahead its clock is, in milliseconds. */
    ahead: 0,
    seen: 0,
  };

  function addCredential(body: Stored): Stored {
    state.seen += 1;
    const id = `credential_${state.seen}`;
    const createdAt = new Date(Date.now() + state.ahead).toISOString();
    const made = {
      scopes: [],
      deviceIds: [],
      expiredAt: null,
      ...body,
      clientCredentialId: id,
      clientId: `client_${state.seen}`,
      createdAt,
    };
    credentials.push(made);
    return { ...made, clientSecret: `secret-of-${id}` };
  }

  /** Applies a change. @returns its response */
  function carryOut(method: string, path: string, body: Stored): Answer {
    const id = path.split('/').at(-1) ?? '';
    if (path.endsWith('/client-credentials')) {
      const made = addCredential(body);
      state.onCreated();
      return [201, made];
    }
    if (path.includes('/client-credentials/')) {
      const at = credentials.findIndex((each) => each.clientCredentialId === id);
      if (at < 0 || state.deletesNothing) return [404, { error: { message: 'No such credential.' } }];
      credentials.splice(at, 1);
      return [204];
    }
    if (path.includes('/templates/')) return [200, Object.assign(template, body)];
    if (path.endsWith('/batches')) {
      const name = String(body.Name);
      if (state.batches.includes(name)) return [409, { error: { message: 'The name is taken.' } }];
      state.batches.push(name);
      return [201, { batchId: 'batch_1', name }];
    }
    if (method === 'DELETE') {
      if (!state.organization) return [404, { error: { message: 'No such organization.' } }];
      state.organization = false;
      return [204];
    }
    state.applied.push(id);
    return method === 'PUT' ? [204] : [200, { ...body }];
  }

  function read(path: string, query: URLSearchParams): Answer {
    const skip = Number(query.get('skipCount') ?? 0);
    if (path.endsWith('/client-credentials')) return [200, credentials.slice(skip, skip + state.pageSize)];
    if (path.endsWith('/templates')) return [200, { items: [template], totalCount: 1 }];
    return state.organization
      ? [200, { items: [], totalCount: 0 }]
      : [404, { error: { message: 'No such organization.' } }];
  }

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = message;
    const [path = '', query] = url.split('?');
    state.requests.push(`${method} ${path}`);
    const text = Buffer.concat(await message.toArray()).toString();
    if (path.endsWith('/connect/token'))
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"t"}');
    const next = method === 'GET' ? undefined : state.plan[0];
    if (next && !(state.isLasting && state.plan.length === 1)) state.plan.shift();
    const carried =
      method !== 'GET' && (!next || next.applies) ? carryOut(method, path, text ? JSON.parse(text) : {}) : undefined;
    const own: Answer = method === 'GET' ? (state.reading ?? read(path, new URLSearchParams(query))) : (carried ?? []);
    if (next?.fault === 'hangs') return void state.onHang();
    const odd: Readonly<Record<string, Answer>> = {
      'shows old values': unchanged,
      'an empty 201': [201],
      'an empty 404': [404],
    };
    const shown = next && (odd[next.fault] ?? faults[next.fault as Fault]); // any other is one of them
    const [status, body = '', headers = {}]: Answer = shown ?? own;
    if (status === undefined) return void message.socket.resetAndDestroy();
    const isText = typeof body === 'string';
    const type = body === '' ? {} : { 'content-type': isText ? 'text/html' : 'application/json' };
    response.sendDate = false;
    const date = state.tellsTime && { date: new Date(Date.now() + state.ahead).toUTCString() };
    response.writeHead(status, { ...date, ...type, ...headers }).end(isText ? body : JSON.stringify(body));
  }

  const { url: base, close } = await listening(answer);
  return { base, state, close };
}

/** A credential that has been there for long. */
export const old = {
  clientCredentialId: 'credential_old',
  clientId: 'client_old',
  name: 'old',
  createdAt: '2020-01-01T00:00:00Z',
  expiredAt: null,
  scopes: [],
  deviceIds: [],
};

/** Such a platform, and somebody who is logged in to it. */
export async function beginDoubtful(plan: readonly Attempt[], isLasting = false) {
  const platform = await doubtfulPlatform();
  const { state } = platform;
  Object.assign(state, { plan: [...plan], isLasting });
  state.credentials.push({ ...old });
  const env = { IIOT_BASE_URL: platform.base, IIOT_TOKEN: 'a-token', IIOT_ORG: '11111111-1111-4111-8111-111111111111' };
  return { platform, state, someone: person({ fetch: 'network', env, now: Date.now }) };
}

type Entry = { readonly operation: string; readonly outcome: string; readonly looked: object | null };

export async function historyOf(someone: Person): Promise<readonly Entry[]> {
  return JSON.parse((await someone.iiot(['history', '-o', 'json'])).stdout);
}
