import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCodeForm } from '../../src/auth/code-form.ts';
import { readFormPage } from '../../src/auth/html-forms.ts';
import { Failure } from '../../src/failure.ts';
import { failureOf } from '../support/failing.ts';
import { expectLinear } from '../support/linear.ts';

const origin = 'https://platform.example';
const url = `${origin}/identity/connect/authorize?client_id=a`;
const action = `${origin}/acme/signin-oidc`;

async function handOver(html: string, sentSession = true) {
  return findCodeForm(await readFormPage(html), { url, facts: {}, isLoginPage: false, sentSession });
}

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
const fields = hidden('code', 'c-1') + hidden('state', 's-1') + hidden('iss', `${origin}/identity`);
const form = `<form method="post" action="/acme/signin-oidc">${fields}</form>`;
const old = `<form method="post" action="/old">${hidden('code', 'x')}${hidden('state', 'y')}</form>`;
const empty = (id: string) => `<form id="${id}" method="post" action="/acme/signin-oidc"></form>`;
const loud = form.replace(/<\/?(form|input)|(method|action|type|name)=|"hidden"/g, (word) => word.toUpperCase());
const reordered = '<input value="$2" data-x="a > b" name="$1" type="hidden"/>';
const ofAnother = '<input form="g" name="code" value="x"></form>';
const turned = /<input type="hidden" name="(\w+)" value="([^"]*)">/g;
const expected = { action, code: 'c-1', state: 's-1', iss: `${origin}/identity` };
const reason = (text: string) => `Step 3 of the login failed: ${text}.`;

describe('the form of step 3', () => {
  it.each([
    ['when it stands alone', form],
    ['without a method', form.replace(' method="post"', '')],
    ['after another form', `<form action="/language" method="get">${hidden('culture', 'en')}</form>${form}`],
    ['before a logout form', `${form}<form method="post" action="/logout">${hidden('state', 'other')}</form>`],
    ['beside one in a comment', `<!-- ${old} -->${form}`],
    ['beside one in a template', `<template>${old}</template>${form}`],
    ['beside one in a script', `<script>const old = '${old}';</script>${form}`],
    ['when it stands there twice', `<noscript>${form}</noscript>${form}`],
    ['when its tags are in capitals', loud],
    ['with names in capitals', form.replace('"code"', '"CODE"').replace('"state"', '"State"')],
    ['with single quotes', form.replaceAll('"', "'")],
    ['without quotes', form.replaceAll('"', '').replaceAll('>', ' >')],
    ['with attributes in another order', form.replace(turned, reordered)],
    ['with entities', form.replaceAll('c-1', '&#99;&#x2d;1').replace('/acme/', '&#x2F;acme&sol;')],
    ['over several lines', form.replaceAll(' ', '\n\t')],
    ['with fields outside of it', `${empty('f')}${fields.replaceAll('<input ', '<input form="f" ')}`],
    ['when it contains a field of another form', form.replace('</form>', ofAnother) + empty('g')],
    ['inside many other elements', `${'<div>'.repeat(50)}${form}`],
    ['when it is never closed', form.replace('</form>', '')],
    ['with the same code twice', form.replace('</form>', `${hidden('code', 'c-1')}</form>`)],
    ['with an absolute action', form.replace('/acme/', `${origin}/acme/`)],
    ['with an action relative to the page', form.replace('/acme/', '../../acme/')],
    ['with an action without its scheme', form.replace('/acme/', '//platform.example/acme/')],
    ['with the origin in capitals and its port', form.replace('/acme/', 'HTTPS://Platform.EXAMPLE:443/acme/')],
    ['with blanks around its action', form.replace('"/acme/signin-oidc"', '" /acme/signin-oidc\n"')],
    ['with a fragment in its action', form.replace('signin-oidc', 'signin-oidc#x')],
    [
      'on a page with a base URL elsewhere',
      `<base href="https://evil.example/">${form.replace('/acme/', '../../acme/')}`,
    ],
    ['on a page with a base URL of the platform', `<base href="/acme/">${form.replace('/acme/', '')}`],
  ])('is read %s', async (_, html) => {
    expect(await handOver(html)).toEqual(expected);
  });

  it('leads to its own page if it has no action', async () => {
    const without = { ...expected, action: url };
    expect(await handOver(form.replace('action="/acme/signin-oidc"', ''))).toEqual(without);
    expect(await handOver(form.replace('/acme/signin-oidc', ''))).toEqual(without);
    expect(await handOver(`<base href="/acme/">${form.replace('/acme/signin-oidc', '')}`)).toEqual(without);
  });

  it.each([
    ['https://evil.example/x', 'https://evil.example'],
    ['//evil.example/x', 'https://evil.example'],
    ['https:\\\\evil.example\\x', 'https://evil.example'],
    ['\\\\evil.example/x', 'https://evil.example'],
    ['https://platform.example@evil.example/', 'https://evil.example'],
    ['https://platform.example.evil.example/', 'https://platform.example.evil.example'],
    ['https://platform.example:8443/acme', 'https://platform.example:8443'],
    ['http://platform.example/acme', 'http://platform.example'],
    ['javascript:alert(1)', 'a javascript: address'],
    ['data:text/html,x', 'a data: address'],
    ['&#106;avascript:alert(1)', 'a javascript: address'],
    ['java\nscript:alert(1)', 'a javascript: address'],
    ['file:///etc/passwd', 'a file: address'],
    ['blob:https://evil.example/1', 'https://evil.example'],
  ])('is refused if its action is %s', async (hostile, target) => {
    const message = reason(`its form would send the code to ${target}, not to ${origin}`);
    const page = form.replace('/acme/signin-oidc', hostile);
    expect(await failureOf(handOver(page))).toMatchObject({ kind: 'unavailable', message });
  });

  const target = 'the target URL of its form';
  const none = 'has no form with the fields code and state';
  const holds = 'its form holds';
  const emptyCode = 'the field code of its form is empty';
  const lacks = (name: string) => `its form has no field ${name}`;
  it.each([
    ['an action that cannot be read', form.replace('/acme/signin-oidc', 'https://['), `${target} is not valid`],
    [
      'an action with a user',
      form.replace('/acme/', 'https://ada@platform.example/'),
      `${target} contains a user name`,
    ],
    ['the method GET', form.replace('post', 'GET'), 'its form uses GET, not POST'],
    ['an empty method', form.replace('"post"', '""'), 'its form uses no method, not POST'],
    ['two codes', form.replace('</form>', `${hidden('code', 'c-2')}</form>`), `${holds} the field code more than once`],
    ['an empty code', form.replace('c-1', ''), emptyCode],
    ['a code without a value', form.replace(' value="c-1"', ''), emptyCode],
    [
      'a twin that leads elsewhere',
      form + form.replace('signin-oidc', 'other'),
      'the page holds 2 forms with code and state',
    ],
    ['no state', form.replace('"state"', '"estate"'), lacks('state')],
    ['no code', form.replace('"code"', '"codes"'), lacks('code')],
    ['fields that belong to another form', form.replaceAll('<input ', '<input form="none" '), `the page ${none}`],
    ['an empty page', '', `the page ${none}`],
    ['a page that has only a title', '<title> Out\nof order </title>', `the page "Out of order" ${none}`],
    ['a page in UTF-16', [...form].join('\0'), `the page ${none}`],
  ])('is refused with %s', async (_, html, text) => {
    expect(await failureOf(handOver(html))).toMatchObject({ kind: 'unavailable', message: reason(text) });
  });
});

const loginForm = '<form action="/login"><input name="account"><input type="PASSWORD" name="password"></form>';

describe('a page without the form of step 3', () => {
  const reset = `<title>Log in</title>${loginForm}<a href="/reset">Reset your password</a>`;
  const authenticator = '<form method="post"><input name="code"><label>Code of your authenticator app</label></form>';
  const twoPasswords = '<p>Your password has expired</p><input type=password name=a><input type=password name=b>';
  const denied =
    hidden('error', 'access_denied') + hidden('error_description', 'Not   assigned.') + hidden('state', 's');
  it.each([
    ['the login page', reset, 'shows its login page again'],
    ['a captcha', `${loginForm}<div class="g-recaptcha"></div>`, 'asks for a captcha'],
    ['a locked account', '<h1>Your account is locked</h1>', 'says that the account is locked'],
    ['a second factor', authenticator, 'asks for a second factor, which iiot does not support'],
    ['a consent', '<form method="post" action="/consent"><button>Yes, allow</button></form>', 'asks for consent'],
    ['a new password', twoPasswords, 'asks for a new password'],
    ['terms', '<p>Please accept our Terms of Use</p>', 'asks to accept its terms'],
    ['an error in a form', `<form>${denied}</form>`, 'ends the login, and says: Not   assigned'],
    ['an error without words', `<form>${hidden('error', 'x_y')}</form>`, 'ends the login, and says: x_y'],
  ])('is reported as %s', async (_, html, text) => {
    expect(await failureOf(handOver(html))).toMatchObject({
      kind: 'unauthenticated',
      message: reason(`the platform ${text}`),
    });
  });
});

describe('any page at all', () => {
  const pieces =
    '<form method=post action="/a">|</form>|<input name=code value=1>|<input name=state value=2 form=f>|' +
    `<form id=f action=//evil.example>|<base href=//evil.example>|<div>|</div>|<!--|-->|<script>|&amp;|"|'|<|\0`;
  const piece = fc.constantFrom(...pieces.split('|'));
  const page = fc.array(fc.oneof(piece, fc.string())).map((pieces) => pieces.join(''));

  it('gives a form of the same origin or a failure', async () => {
    await fc.assert(
      fc.asyncProperty(page, async (html) => {
        const found = await handOver(html).catch((error: unknown) => error);
        if (found instanceof Failure) return ['unavailable', 'unauthenticated'].includes(found.kind);
        return new URL((found as { action: string }).action).origin === origin;
      }),
    );
  });

  it.each([
    ['divisions', '<div>', ''],
    ['forms', '<form>', ''],
    ['divisions around fields', '<div>', '<input name=a>'],
    ['forms around fields', '<form>', '<input name=code>'],
  ])('is read in linear time if it nests %s', (_, opening, field) =>
    expectLinear(
      (length) => opening.repeat(length / (field === '' ? 6 : 12)) + field.repeat(length / 24),
      65_536,
      async (html) => expect(await failureOf(handOver(html))).toMatchObject({ kind: 'unavailable' }),
    ),
  );
});
