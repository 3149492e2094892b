import { operations as authentication } from './authentication.ts';
import { operations as batches } from './batches.ts';
import { operations as channels } from './channels.ts';
import { operations as credentials } from './credentials.ts';
import { operations as devices } from './devices.ts';
import { operations as orgs } from './orgs.ts';
import { operations as policies } from './policies.ts';
import { operations as templates } from './templates.ts';

/** The version of the service documentation that the contract describes. */
export const interfaceVersion = '1.1.1';

export const operations = [
  ...orgs,
  ...batches,
  ...devices,
  ...policies,
  ...templates,
  ...channels,
  ...authentication,
  ...credentials,
] as const;

export type AnyOperation = (typeof operations)[number];
