import * as authentication from './authentication.ts';
import * as batches from './batches.ts';
import * as channels from './channels.ts';
import * as credentials from './credentials.ts';
import * as devices from './devices.ts';
import * as orgs from './orgs.ts';
import * as policies from './policies.ts';
import * as templates from './templates.ts';

/** The version of the service documentation that the contract describes. */
export const interfaceVersion = '1.1.1';

export const operations = [
  orgs.listUsers,
  orgs.deleteOrganization,
  batches.createBatch,
  devices.setCustomInfo,
  policies.updatePolicy,
  templates.listTemplates,
  templates.updateTemplate,
  channels.updateChannel,
  authentication.externalLogin,
  authentication.accountLogin,
  authentication.formPost,
  authentication.createToken,
  authentication.refreshToken,
  authentication.machineToken,
  credentials.createCredential,
  credentials.listCredentials,
  credentials.deleteCredential,
] as const;

export type AnyOperation = (typeof operations)[number];
