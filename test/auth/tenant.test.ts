import { describe, expect, it } from 'vitest';
import { findTenant } from '../../src/auth/tenant.ts';

const guid = '0b0f3a52-7c1e-4d0a-9f6b-3f2504e04f89';
const other = '11111111-2222-3333-4444-555555555555';
const once = (path: string) => encodeURIComponent(path);

describe('the tenant in the redirect of step 1', () => {
  it.each([
    ['in the query', `https://p.example/login?tenantId=${guid}`],
    ['twice in the query', `https://p.example/login?tenantId=${guid}&tenantId=${guid}`],
    ['in the query, after an empty one', `https://p.example/login?tenantId=&tenantId=${guid}`],
    ['called tenant_id', `https://p.example/login?tenant_id=${guid}`],
    ['called __tenant', `https://p.example/login?__tenant=${guid}`],
    ['as a GUID called tenant', `https://p.example/login?client_id=${other}&tenant=${guid}`],
    ['as a GUID called tid', `https://p.example/login?r=${once(`/connect/authorize?tid=${guid}&nonce=${other}`)}`],
    ['as the tenantId of acr_values', `https://p.example/login?acr_values=tenantId%3A${guid}`],
    ['as the tenant of acr_values', `https://p.example/login?acr_values=idp%3Aad%20tenant%3A${guid}`],
    [
      'as the tenant of acr_values in a return URL',
      `https://p.example/Login?ReturnUrl=${once(`/connect/authorize?client_id=a&acr_values=${once(`tenant:${guid}`)}`)}`,
    ],
    ['under its own name before another name', `https://p.example/login?tenant=${other}&tenantId=${guid}`],
    ['in the path of a page for a tenant that has a name', `https://p.example/${guid}/login?tenant=acme`],
    ['in other case', `https://p.example/login?TenantId=${guid}`],
    ['on a foreign host', `https://sso.example/login?tenantId=${guid}`],
    [
      'in a relative return URL',
      `https://p.example/login?ReturnUrl=${once(`/connect/authorize?client_id=a&tenantId=${guid}`)}`,
    ],
    ['in an absolute return URL', `https://p.example/login?r=${once(`https://p.example/cb?x=1&__tenant=${guid}`)}`],
    ['in the fragment', `https://p.example/#tenantId=${guid}`],
    ['in the query of a fragment', `https://p.example/#/login?returnUrl=x&tenantId=${guid}`],
    ['in the path of a fragment', `https://p.example/#/login/${guid}`],
    ['in the fragment of a return URL', `https://p.example/login?r=${once(`/app#tenantId=${guid}`)}`],
    ['after its name in the path', `https://p.example/login/tenantId/${guid}`],
    ['with its name in one segment of the path', `https://p.example/login/tenantId=${guid}`],
    ['after the word tenants', `https://p.example/apps/${other}/tenants/${guid}/login`],
    ['as the only GUID of the path', `https://p.example/${guid}/login`],
    ['as the only GUID of the path, twice', `https://p.example/${guid}/login/${guid}`],
    ['as the only GUID of the path of a return URL', `https://p.example/login?r=${once(`/${guid}/portal`)}`],
    ['in the query before the path', `https://p.example/${other}/login?tenantId=${guid}`],
    ['in the query before the return URL', `https://p.example/login?r=${once(`/?tenantId=${other}`)}&tenantId=${guid}`],
  ])('is found %s', (_, location) => {
    expect(findTenant(new URL(location))).toEqual({ tenantId: guid });
  });

  it('may be any text under its own name', () => {
    expect(findTenant(new URL('https://p.example/login?tenantId=acme%20ltd'))).toEqual({ tenantId: 'acme ltd' });
    expect(findTenant(new URL('https://p.example/tenantId/acme%20ltd/login'))).toEqual({ tenantId: 'acme ltd' });
  });

  it.each([
    ['the address has no such value', 'https://p.example/login?returnUrl=%2Fapp', 'none'],
    ['a name is in its place', 'https://p.example/login?tenant=acme&tid=5', 'none'],
    ['a name is in the place of a GUID in acr_values', 'https://p.example/login?acr_values=tenant%3Aacme', 'none'],
    [
      'another parameter has the same form',
      `https://p.example/login?acr_values=idp:${guid}&scope=tenant:${guid}`,
      'none',
    ],
    ['it is empty', 'https://p.example/login?tenantId=', 'none'],
    ['the path ends with its name', 'https://p.example/tenantId/', 'none'],
    ['the return URL cannot be read', 'https://p.example/login?returnUrl=https%3A%2F%2F%5B', 'none'],
    ['the path is badly encoded', 'https://p.example/%E0%A4%A/login', 'none'],
    ['the query names two', `https://p.example/login?tenantId=${guid}&tenantId=${other}`, 'several'],
    ['the path holds two GUIDs', `https://p.example/${guid}/apps/${other}`, 'several'],
  ])('is not found if %s', (_, location, missing) => {
    expect(findTenant(new URL(location))).toEqual({ missing });
  });
});
