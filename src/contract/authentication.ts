import { operation } from './operation.ts';
import { inPath, inQuery, integer, object, record, text } from './shared.ts';

/** "The SSO service path variable ssoBaseUrl is the word identity"; older forms are unsupported. */
export const ssoBaseUrl = 'identity';

/** The cookie that step 2 sets. */
export const sessionCookie = 'Identity.Permission';

/** The cookie that step 4 sets. */
export const loginCookie = 'SvcOidc.Login';

/** "User access token lifetime: 2 hours", in seconds. */
export const userTokenLifetime = 7200;

/** The hidden fields of step 3's form, sent on in step 4. */
export const formFields = ['code', 'state', 'iss'] as const;

const tenantPath = inPath('Tenant path segment');
const appPath = inPath('Application path segment');

const userToken = object(
  'The token of the user flow',
  {
    accessToken: text('JWT used as bearer token'),
    refreshToken: text('Used to renew'),
    expiresIn: integer('Seconds; 7200'),
    tokenType: text('Bearer'),
  },
  { title: 'TokenResponse' },
);

export const externalLogin = operation({
  id: 'authentication.externalLogin',
  summary: 'Begin the login, and fetch its form',
  description:
    'Step 1 answers with a redirect whose Location holds tenantId; step 3, the same request with the session cookie, a page with the form.',
  method: 'GET',
  path: '/{tenantPath}/portal/external-login',
  security: 'cookies',
  params: { tenantPath, returnUrl: inQuery(text('{base_url}/{tenantPath}/{appPath}', { required: true })) },
  responses: {
    200: 'A page whose form holds code, state and iss (step 3)',
    302: 'The session context is created (step 1)',
  },
  responseType: 'text/html',
});

export const accountLogin = operation({
  id: 'authentication.accountLogin',
  summary: 'Prove the password',
  description: 'Step 2: sets the session cookie Identity.Permission.',
  method: 'POST',
  path: `/${ssoBaseUrl}/api/v1.0/account/login`,
  security: 'cookies',
  params: {},
  body: record('The account', {
    account: text('Account e-mail'),
    password: text('Password'),
    tenantId: text("From step 1's Location"),
  }),
  // The interface does not show the response for a refused password, so 400, 401, and 200 without the cookie are all understood.
  responses: { 200: 'Logged in; sets the cookie Identity.Permission', 400: 'Account or password refused' },
});

export const formPost = operation({
  id: 'authentication.formPost',
  summary: 'Hand over the code',
  description: "Step 4, at the form's action: sets the cookie SvcOidc.Login.",
  method: 'POST',
  path: '/{form_action}',
  security: 'cookies',
  params: { form_action: inPath("The form's action") },
  bodyType: 'application/x-www-form-urlencoded',
  body: record("The form's hidden fields", {
    code: text('Authorization code'),
    state: text('State'),
    iss: text('Issuer'),
  }),
  responses: { 302: 'Logged in; sets the cookie SvcOidc.Login' },
});

export const createToken = operation({
  id: 'authentication.createToken',
  summary: 'Get the tokens of the login',
  description: 'Step 5: no body, cookies only.',
  method: 'POST',
  path: '/{tenantPath}/{appPath}/api/v1/auth/tokens',
  security: 'cookies',
  params: { tenantPath, appPath },
  responses: { 200: 'The tokens' },
  responseSchema: userToken,
});

export const refreshToken = operation({
  id: 'authentication.refreshToken',
  summary: 'Renew the tokens of the login',
  description: 'Renews an access token without a new login.',
  method: 'POST',
  path: '/{tenantPath}/{appPath}/api/v1/auth/tokens',
  security: 'none',
  params: {
    tenantPath,
    appPath,
    grant_type: inQuery(text('The word refresh_token', { enum: ['refresh_token'], required: true })),
  },
  body: record('The refresh token', { refreshToken: text('Refresh token') }),
  // The interface does not show the body of this response, so the shape of step 5, OAuth's, and a missing refresh token are all understood.
  responses: { 200: 'The tokens', 400: 'Refresh token refused' },
  responseSchema: userToken,
});

export const machineToken = operation({
  id: 'authentication.machineToken',
  summary: 'Get an access token for a client credential',
  description:
    "OAuth 2.0 client credentials: an access token for an automated service, valid until the credential's expiredAt.",
  method: 'POST',
  path: `/${ssoBaseUrl}/connect/token`,
  security: 'none',
  params: {},
  bodyType: 'application/x-www-form-urlencoded',
  body: record('The client', {
    grant_type: text('The word client_credentials', { enum: ['client_credentials'] }),
    client_id: text('Client ID'),
    client_secret: text('Client secret'),
  }),
  responses: { 200: 'The access token', 400: 'Client refused', 401: 'Client refused' },
  errors: 'oauth',
  repeat: 'always',
});
