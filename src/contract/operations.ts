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

/** Each by the name under which the sandbox exports its handler. */
export const operationsByName = {
  listUsers: orgs.listUsers,
  deleteOrganization: orgs.deleteOrganization,
  createBatch: batches.createBatch,
  setCustomInfo: devices.setCustomInfo,
  updatePolicy: policies.updatePolicy,
  listTemplates: templates.listTemplates,
  updateTemplate: templates.updateTemplate,
  updateChannel: channels.updateChannel,
  externalLogin: authentication.externalLogin,
  accountLogin: authentication.accountLogin,
  formPost: authentication.formPost,
  createToken: authentication.createToken,
  refreshToken: authentication.refreshToken,
  machineToken: authentication.machineToken,
  createCredential: credentials.createCredential,
  listCredentials: credentials.listCredentials,
  deleteCredential: credentials.deleteCredential,
} as const;

export type AnyOperation = (typeof operationsByName)[keyof typeof operationsByName];

export const operations: readonly AnyOperation[] = Object.values(operationsByName);
