import { accountLogin, createToken, externalLogin, formPost, machineToken, refreshToken } from './authentication.ts';
import { createBatch } from './batches.ts';
import { updateChannel } from './channels.ts';
import { createCredential, deleteCredential, listCredentials } from './credentials.ts';
import { setCustomInfo } from './devices.ts';
import { deleteOrganization, listUsers } from './orgs.ts';
import { updatePolicy } from './policies.ts';
import { listTemplates, updateTemplate } from './templates.ts';

/** The service documentation's version that all of this describes. */
export const interfaceVersion = '1.1.1';

/** Every operation of the interface. */
export const operations = [
  listUsers,
  deleteOrganization,
  createBatch,
  setCustomInfo,
  updatePolicy,
  listTemplates,
  updateTemplate,
  updateChannel,
  externalLogin,
  accountLogin,
  formPost,
  createToken,
  refreshToken,
  createCredential,
  listCredentials,
  deleteCredential,
  machineToken,
] as const;
