import { describe, expect, it } from 'vitest';
import { chooseFault, readFault } from '../../src/sandbox/faults.ts';
import { faultsOf, startPlatform } from './browser.ts';

describe('a fault rule', () => {
  it.each([
    ['PUT /platform/**=503:5%', 'PUT', { kind: 'status', status: 503 }, 0.05],
    ['/api/*/orgs=reset', undefined, { kind: 'reset' }, 1],
    ['get **=hang:100%', 'GET', { kind: 'hang' }, 1],
    ['**=reset-after:0.5%', undefined, { kind: 'reset-after' }, 0.005],
    ['**=429,retry-after=2:50%', undefined, { kind: 'status', status: 429, retryAfter: 2 }, 0.5],
  ])('is read: %s', (text, method, fault, chance) => {
    expect(readFault(text)).toEqual({ text, method, path: expect.any(RegExp), fault, chance });
  });

  it.each([
    [['/api', '=503'], 'this has no path, or nothing after "=".'],
    [['FETCH /api=503'], 'FETCH is not a method of the platform.'],
    [['api=503'], 'a path begins with / or *.'],
    [['/api=200', '/api=600', '/api=explode'], 'a status is from 400 to 599, optionally with ",retry-after=SECONDS".'],
    [['/api=503:5', '/api=503:0%', '/api=503:101%'], 'a percentage is above 0% and at most 100%.'],
  ])('is refused with the reason: %j', (texts, reason) => {
    const sentence = `A rule is [METHOD ]PATH-GLOB=STATUS|reset|hang[:PERCENT%], "PUT /platform/**=503:5%" for example; ${reason}`;
    expect(texts.map(readFault)).toEqual(texts.map(() => sentence));
  });

  it.each([
    ['/platform/**=503', '/platform/solutions/api/v1/devices/a%2Fb/custom-info', true],
    ['/platform/**=503', '/api/v1/orgs', false],
    ['/api/*/orgs=503', '/api/v1/orgs', true],
    ['/api/*/orgs=503', '/api/v1/x/orgs', false],
    ['/api/v1/orgs=503', '/api/v1/orgs/1', false],
    ['*=503', '/api', false],
    ['**=503', '/api/v1', true],
    ['/a.c=503', '/abc', false],
    ['/a(b)=503', '/a(b)', true],
  ])('has a path that matches: %s and %s (%s)', (text, path, fits) => {
    expect(chooseFault(faultsOf(text), () => 0.5, 'GET', path) !== undefined).toBe(fits);
  });

  it('matches its method with its probability; the first matching rule wins', () => {
    const rules = faultsOf('PUT **=500', '**=503:10%', 'GET **=504');
    const status = (method: string, dice: number) => chooseFault(rules, () => dice, method, '/x')?.text;
    expect(status('PUT', 0.9)).toBe('PUT **=500');
    expect(status('GET', 0.09)).toBe('**=503:10%');
    expect(status('GET', 0.1)).toBe('GET **=504');
    expect(status('POST', 0.1)).toBe(undefined);
  });
});

describe('a platform with faults', () => {
  const users = '/api/v1/orgs/11111111-1111-4111-8111-111111111111/users';

  it('answers with the status and Retry-After of the rule', async () => {
    const { browse, platform } = startPlatform({ faults: faultsOf('GET /api/**=429,retry-after=7') });
    const answer = await browse().get(users);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await answer.json()).toMatchObject({ error: { code: 'Sandbox:Fault' } });
    expect(answer.headers.get('x-request-id')).toBe('request-000001');
    expect(platform.log.latest).toEqual([
      {
        at: '2026-01-15T08:00:00.000Z',
        method: 'GET',
        path: users,
        outcome: 429,
        fault: 'GET /api/**=429,retry-after=7',
      },
    ]);
  });

  it('has the same faults for the same seed', async () => {
    const outcomes = async (seed: number) => {
      const { browse } = startPlatform({ seed, faults: faultsOf('GET **=503:30%') });
      const statuses = [];
      for (let count = 0; count < 50; count++) statuses.push((await browse().get(users)).status);
      return statuses;
    };
    const one = await outcomes(5);
    expect(await outcomes(5)).toEqual(one);
    expect(new Set(one)).toEqual(new Set([401, 503]));
  });

  it('delays each response by the given latency', async () => {
    const { browse } = startPlatform({ latency: 40 });
    const begun = performance.now();
    await browse().get(users);
    expect(performance.now() - begun).toBeGreaterThan(35);
  });
});
