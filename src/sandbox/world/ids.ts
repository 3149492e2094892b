/** The IDs of the seeded world: fixed, and easy to type. */
export const ids = {
  tenantId: '7e7a7e7a-0000-4000-8000-000000000001',
  tenantPath: 'factory',
  appPath: 'console',
  /** A root organization: it cannot be deleted. */
  root: '11111111-1111-4111-8111-111111111111',
  /** Only the admin account belongs to it, and so can delete it. */
  empty: '22222222-2222-4222-8222-222222222222',
  withDevices: '33333333-3333-4333-8333-333333333333',
  withSubOrganizations: '44444444-4444-4444-8444-444444444444',
  subOrganization: '55555555-5555-4555-8555-555555555555',
  withOtherUsers: '66666666-6666-4666-8666-666666666666',
  /** Nobody belongs to it, so a client credential can delete it. */
  withoutUsers: '77777777-7777-4777-8777-777777777777',
  /** The admin account can delete it; its name contains a decomposed letter and a direction mark. */
  oddlyNamed: '88888888-8888-4888-8888-888888888888',
  policy: 'aaaaaaaa-0000-4000-8000-000000000001',
  disabledPolicy: 'aaaaaaaa-0000-4000-8000-000000000002',
  foreignPolicy: 'aaaaaaaa-0000-4000-8000-000000000009',
  credential: 'credential_001',
  clientId: 'sandbox-machine',
  clientSecret: 'sandbox-secret',
  admin: 'ada@factory.example',
  adminPassword: 'correct horse',
  viewer: 'vic@factory.example',
  viewerPassword: 'battery staple',
} as const;
