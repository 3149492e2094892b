import { channelTypeNames } from '../../contract/shared.ts';
import { ids } from './ids.ts';
import type { Channel, Policy, SandboxWorld, Template } from './world.ts';

/** Templates, channels and policies: none of them is random, so that examples can refer to them. */
export function seedNotifications(world: SandboxWorld): void {
  const names = stages.flatMap((stage) => topics.split(', ').map((topic) => topic + stage));
  for (const [at, name] of names.entries()) addTemplate(world, seededTemplate(at + 1, name));
  addTemplate(world, { ...seededTemplate(101, 'Robot stopped'), orgId: ids.withDevices });
  for (const channel of channels) world.channels.set(channel.channelId, structuredClone(channel));
  for (const policy of policies) world.policies.set(policy.alertPolicyId, structuredClone(policy));
}

function addTemplate(world: SandboxWorld, template: Template): void {
  world.templates.set(template.templateId, template);
}

const topics =
  'Pressure low, Door open, Tool worn, Line stopped, Oil change, Coolant low, Overload, Overheating, ' +
  'Vibration high, Filter clogged, Emergency stop, No data, Belt slipping, Air leak, Power failure';

const stages = ['', ' reminder', ' resolved'];

function seededTemplate(number: number, name: string): Template {
  const type = channelTypeNames[number % channelTypeNames.length] ?? 'email';
  return {
    templateId: `template_${String(number).padStart(3, '0')}`,
    orgId: ids.root,
    name,
    subject: `${name}: {{deviceName}}`,
    content: `{{deviceName}} reports {{value}} {{unit}} at {{time}}.`,
    channelTypes: number % 3 === 0 && type !== 'email' ? [type, 'email'] : [type],
    tags: [number % 2 === 0 ? 'night' : 'day', ...(number % 5 === 0 ? ['urgent'] : [])],
  };
}

const channelDefaults = {
  orgId: ids.root,
  isEnabled: true,
  commonSettings: { timeout: 30, retryAttempts: 3, retryDelay: 5 },
  templateId: null,
  recipients: [],
  tags: [],
};

const channels: readonly Channel[] = [
  {
    ...channelDefaults,
    channelId: 'channel_email',
    name: 'Shift leaders',
    channelType: 'email',
    description: 'Mail to the shift leaders',
    config: { host: 'mail.factory.example', port: 587, from: 'alerts@factory.example' },
    recipients: ['shift@factory.example'],
    tags: ['day'],
  },
  {
    ...channelDefaults,
    channelId: 'channel_teams',
    name: 'Maintenance',
    channelType: 'teams',
    description: 'Posts in the maintenance team',
    config: { webhookUrl: 'https://teams.factory.example/hooks/1' },
  },
  {
    ...channelDefaults,
    channelId: 'channel_linemessage',
    name: 'On call',
    channelType: 'linemessage',
    description: 'LINE messages to those on call',
    config: { channelAccessToken: 'not-a-real-token' },
  },
  {
    ...channelDefaults,
    channelId: 'channel_webhook',
    name: 'Ticket system',
    channelType: 'webhook',
    description: 'Opens a ticket',
    config: { url: 'https://tickets.factory.example/hook' },
    isEnabled: false,
  },
  {
    ...channelDefaults,
    channelId: 'channel_unreachable',
    name: 'Old gateway',
    channelType: 'webhook',
    description: 'Its address does not answer: every update is validated, and fails',
    config: { url: 'https://gateway.factory.invalid/hook' },
  },
  {
    ...channelDefaults,
    channelId: 'channel_assembly',
    orgId: ids.withDevices,
    name: 'Assembly',
    channelType: 'email',
    description: 'Of another organization',
    config: { host: 'mail.factory.example' },
  },
];

const policyDefaults = {
  orgId: ids.root,
  description: '',
  alertLevel: '>80',
  alertResetLevel: '<75',
  delay: 60,
  notification: { channelIds: ['channel_email'], recipients: ['shift@factory.example'], templateId: 'template_001' },
  isEnabled: true,
  dataStreamIds: ['press-0001/temperature'],
  publications: 1,
};

const policies: readonly Policy[] = [
  {
    ...policyDefaults,
    alertPolicyId: ids.policy,
    policyName: 'Press too hot',
    description: 'Temperature of the press',
  },
  {
    ...policyDefaults,
    alertPolicyId: ids.disabledPolicy,
    policyName: 'Oil pressure low',
    alertLevel: '<= 1.5',
    alertResetLevel: '> 2',
    notification: { subject: 'Oil pressure', content: 'Look at the pump.', channelIds: ['channel_teams'] },
    isEnabled: false,
    publications: 0,
  },
  {
    ...policyDefaults,
    alertPolicyId: ids.foreignPolicy,
    orgId: ids.withDevices,
    policyName: 'Robot idle',
    notification: {},
  },
];
