import { thingsToTry } from './world/things-to-try.ts';

/** The variables that make `iiot` talk to a sandbox, as its machine. */
export function sandboxVariables(url: string) {
  const { tenant, app, org, client } = thingsToTry;
  return {
    IIOT_SANDBOX: '1',
    IIOT_SANDBOX_URL: url,
    IIOT_BASE_URL: url,
    IIOT_TENANT: tenant,
    IIOT_APP: app,
    IIOT_ORG: org,
    IIOT_CLIENT_ID: client.clientId,
    IIOT_CLIENT_SECRET: client.clientSecret,
  };
}
