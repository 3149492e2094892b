import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCodeForm } from '../../src/auth/code-form.ts';
import { readFormPage } from '../../src/auth/html-forms.ts';
import { Failure } from '../../src/failure.ts';
import { failureOf } from '../support/failing.ts';

const origin = 'https://platform.example';
const url = `${origin}/identity/connect/authorize?client_id=a`;
const action = `${origin}/acme/signin-oidc`;

async function handOver(html: string, sentSession = true) {
  return findCodeForm(await readFormPage(html), { url, facts: {}, isLoginPage: false, sentSession });
}

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
const fields = hidden('code', 'c-1') + hidden('state', 's-1') + hidden('iss', `${origin}/identity`);
const form = `<form method="post" action="/acme/signin-oidc">${fields}</form>`;
const expected = { action, code: 'c-1', state: 's-1', iss: `${origin}/identity` };
const reason = (text: string) => `Step 3 of the login failed: ${text}.`;

describe('the form of step 3', () => {
  it.each([
    ['alone', form],
    ['without a method, since the interface has a POST', form.replace(' method="post"', '')],
    ['after another form', `<form action="/language" method="get">${hidden('culture', 'en')}</form>${form}`],
    ['before a logout form', `${form}<form method="post" action="/logout">${hidden('state', 'other')}</form>`],
    [
      'beside one in a comment',
      `<!-- <form method="post" action="/old">${hidden('code', 'x')}${hidden('state', 'y')}</form> -->${form}`,
    ],
    [
      'beside one in a template',
      `<template><form method="post" action="/old">${hidden('code', 'x')}${hidden('state', 'y')}</form></template>${form}`,
    ],
    [
      'beside one in a script',
      `<script>const old = '<form method="post">${hidden('code', 'x')}${hidden('state', 'y')}</form>';</script>${form}`,
    ],
    ['twice the same', `<noscript>${form}</noscript>${form}`],
    [
      'in capitals',
      form
        .replaceAll('input type="hidden" name=', 'INPUT TYPE="HIDDEN" NAME=')
        .replace('<form method="post" action', '<FORM METHOD="POST" ACTION')
        .replace('</form>', '</FORM>'),
    ],
    ['with names in capitals', form.replace('"code"', '"CODE"').replace('"state"', '"State"')],
    ['with single quotes', form.replaceAll('"', "'")],
    ['without quotes', form.replaceAll('"', '').replaceAll('>', ' >')],
    [
      'with attributes in another order',
      form.replace(
        /<input type="hidden" name="(\w+)" value="([^"]*)">/g,
        '<input value="$2" data-x="a > b" name="$1" type="hidden"/>',
      ),
    ],
    ['with entities', form.replaceAll('c-1', '&#99;&#x2d;1').replace('/acme/', '&#x2F;acme&sol;')],
    ['over several lines', form.replaceAll(' ', '\n\t')],
    [
      'with fields outside of it',
      `<form id="f" method="post" action="/acme/signin-oidc"></form>${fields.replaceAll('<input ', '<input form="f" ')}`,
    ],
    [
      'around a field of another form',
      `<form id="g"></form><form method="post" action="/acme/signin-oidc">${fields}<input form="g" name="code" value="x"></form>`,
    ],
    ['deep in other elements', `${'<div>'.repeat(50)}${form}`],
    ['never closed', form.replace('</form>', '')],
    ['with code twice the same', form.replace('</form>', `${hidden('code', 'c-1')}</form>`)],
    ['with an absolute action', form.replace('/acme/', `${origin}/acme/`)],
    ['with an action relative to the page', form.replace('/acme/', '../../acme/')],
    ['with an action without its scheme', form.replace('/acme/', '//platform.example/acme/')],
    ['with the origin in capitals and its port', form.replace('/acme/', 'HTTPS://Platform.EXAMPLE:443/acme/')],
    ['with blanks around its action', form.replace('"/acme/signin-oidc"', '" /acme/signin-oidc\n"')],
    ['with a fragment in its action', form.replace('signin-oidc', 'signin-oidc#x')],
    ['beside a base elsewhere', `<base href="https://evil.example/">${form.replace('/acme/', '../../acme/')}`],
    ['beside a base of the platform', `<base href="/acme/">${form.replace('/acme/', '')}`],
  ])('is read %s', async (_, html) => {
    expect(await handOver(html)).toEqual(expected);
  });

  it('without an action is for the page itself', async () => {
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
  ])('is refused with the action %s', async (hostile, target) => {
    const message = reason(`its form would send the code to ${target}, and not to ${origin}`);
    expect(await failureOf(handOver(form.replace('/acme/signin-oidc', hostile)))).toMatchObject({
      kind: 'unavailable',
      message,
    });
  });

  it.each([
    [
      'an action that cannot be read',
      form.replace('/acme/signin-oidc', 'https://['),
      'the target URL of its form is not valid',
    ],
    [
      'an action with a user',
      form.replace('/acme/', 'https://ada@platform.example/acme/'),
      'the target URL of its form contains a user name',
    ],
    ['the method GET', form.replace('post', 'GET'), 'its form asks for GET and not for POST'],
    ['an empty method', form.replace('"post"', '""'), 'its form asks for no method and not for POST'],
    [
      'two codes',
      form.replace('</form>', `${hidden('code', 'c-2')}</form>`),
      'its form holds the field code more than once',
    ],
    ['an empty code', form.replace('c-1', ''), 'the field code of its form is empty'],
    ['a code without a value', form.replace(' value="c-1"', ''), 'the field code of its form is empty'],
    [
      'a twin that leads elsewhere',
      form + form.replace('signin-oidc', 'other'),
      'the page holds 2 forms with code and state',
    ],
    ['no state', form.replace('"state"', '"estate"'), 'its form has no field state'],
    ['no code', form.replace('"code"', '"codes"'), 'its form has no field code'],
    [
      'its fields tied to no form',
      form.replaceAll('<input ', '<input form="none" '),
      'the page has no form with the fields code and state',
    ],
    ['nothing', '', 'the page has no form with the fields code and state'],
    [
      'a title alone',
      '<title> Out\nof order </title>',
      'the page "Out of order" has no form with the fields code and state',
    ],
    ['UTF-16', [...form].join('\0'), 'the page has no form with the fields code and state'],
  ])('is refused with %s', async (_, html, text) => {
    expect(await failureOf(handOver(html))).toMatchObject({ kind: 'unavailable', message: reason(text) });
  });
});

const loginForm = '<form action="/login"><input name="account"><input type="PASSWORD" name="password"></form>';

describe('another page in step 3', () => {
  it.each([
    [
      'the login page',
      `<title>Log in</title>${loginForm}<a href="/reset">Reset your password</a>`,
      'the platform shows its login page again',
    ],
    ['a captcha', `${loginForm}<div class="g-recaptcha"></div>`, 'the platform asks for a captcha'],
    ['a locked account', '<h1>Your account is locked</h1>', 'the platform says that the account is locked'],
    [
      'a second factor',
      '<form method="post"><input name="code"><label>Code of your authenticator app</label></form>',
      'the platform asks for a second factor, which iiot does not support',
    ],
    [
      'a consent',
      '<form method="post" action="/consent"><button>Yes, allow</button></form>',
      'the platform asks for consent',
    ],
    [
      'a new password',
      '<p>Your password has expired</p><input type=password name=a><input type=password name=b>',
      'the platform asks for a new password',
    ],
    ['terms', '<p>Please accept our Terms of Use</p>', 'the platform asks to accept its terms'],
    [
      'an error by the form',
      `<form method="post" action="/cb">${hidden('error', 'access_denied')}${hidden('error_description', 'Not   assigned.')}${hidden('state', 's')}</form>`,
      'the platform ends the login, and says: Not   assigned',
    ],
    [
      'an error without words',
      `<form method="post" action="/cb">${hidden('error', 'login_required')}</form>`,
      'the platform ends the login, and says: login_required',
    ],
  ])('that is %s is said as such', async (_, html, text) => {
    expect(await failureOf(handOver(html))).toMatchObject({ kind: 'unauthenticated', message: reason(text) });
  });
});

describe('any page', () => {
  const piece = fc.constantFrom(
    '<form method=post action="/a">',
    '</form>',
    '<input name=code value=1>',
    '<input name=state value=2 form=f>',
    '<form id=f action=//evil.example>',
    '<base href=//evil.example>',
    '<div>',
    '</div>',
    '<!--',
    '-->',
    '<script>',
    '&amp;',
    '"',
    "'",
    '<',
    '\0',
  );
  const page = fc.array(fc.oneof(piece, fc.string())).map((pieces) => pieces.join(''));

  it('gives a form of the own origin, or a Failure', async () => {
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
  ])('of 64 KiB of nested %s is read within a second', async (_, opening, field) => {
    const half = Math.floor(65_536 / (field === '' ? 1 : 2));
    const html = opening.repeat(half / opening.length) + (field === '' ? '' : field.repeat(half / field.length));
    const before = process.cpuUsage();
    expect(await failureOf(handOver(html))).toMatchObject({ kind: 'unavailable' });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(1);
  });
});
