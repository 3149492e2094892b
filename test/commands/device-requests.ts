/** A login by token, so that each request is for a device. */
export const tokenOnly = {
  env: {
    IIOT_TOKEN: `e30.${Buffer.from('{"email":"ada@factory.example","tenantid":"acme"}').toString('base64url')}.x`,
    IIOT_CLIENT_ID: undefined,
    IIOT_CLIENT_SECRET: undefined,
  },
} as const;

/** The device that a request sets keys of. */
export function deviceIn(url: string): string {
  return /[^/]+(?=\/custom-info$)/.exec(url)?.[0] ?? '';
}
