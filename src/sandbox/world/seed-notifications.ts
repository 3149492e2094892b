import { channelTypeNames } from '../../contract/shared.ts';
import { ids } from './ids.ts';
import type { Channel, Policy, SandboxWorld, Template } from './world.ts';

/** Adds templates, channels and policies. None of them is random, so that examples can refer to them. */
export function seedNotifications(world: SandboxWorld): void {
  const names = stages.flatMap((stage) => topics.split(', ').map((topic) => topic + stage));
  const elsewhere = ['Robot stopped', ...names.slice(0, 19)].map((name, at) => ({
    ...seededTemplate(101 + at, name),
    orgId: ids.withDevices,
  }));
  const templates = [...names.map((name, at) => seededTemplate(at + 1, name)), ...elsewhere];
  for (const template of templates) world.templates.set(template.templateId, template);
  for (const channel of channels)
    world.channels.set(channel.channelId, structuredClone({ ...usualChannel, ...channel }));
  const others = names.slice(0, 19).map((policyName, at) => ({
    ...policyDefaults,
    alertPolicyId: `aaaaaaaa-0000-4000-8000-000000000${101 + at}`,
    orgId: ids.withDevices,
    policyName,
    notification: { channelIds: ['channel_assembly'], templateId: 'template_101' },
  }));
  for (const policy of [...policies, ...others]) world.policies.set(policy.alertPolicyId, structuredClone(policy));
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

const usualChannel = {
  orgId: ids.root,
  isEnabled: true,
  commonSettings: { timeout: 30, retryAttempts: 3, retryDelay: 5 },
  templateId: null,
  recipients: [],
  tags: [],
};

const channels: readonly (Omit<Channel, keyof typeof usualChannel> & Partial<Channel>)[] = [
  {
    channelId: 'channel_email',
    name: 'Shift leaders',
    channelType: 'email',
    description: 'Mail to the shift leaders',
    config: { host: 'mail.factory.example', port: 587, from: 'alerts@factory.example' },
    recipients: ['shift@factory.example'],
    tags: ['day'],
  },
  {
    channelId: 'channel_teams',
    name: 'Maintenance',
    channelType: 'teams',
    description: 'Posts in the maintenance team',
    config: { webhookUrl: 'https://teams.factory.example/hooks/1' },
  },
  {
    channelId: 'channel_linemessage',
    name: 'On call',
    channelType: 'linemessage',
    description: 'LINE messages to those on call',
    config: { channelAccessToken: 'not-a-real-token' },
  },
  {
    channelId: 'channel_webhook',
    name: 'Ticket system',
    channelType: 'webhook',
    description: 'Opens a ticket',
    config: { url: 'https://tickets.factory.example/hook' },
    isEnabled: false,
  },
  {
    channelId: 'channel_unreachable',
    name: 'Old gateway',
    channelType: 'webhook',
    description: 'Its address does not answer: every update is validated, and fails',
    config: { url: 'https://gateway.factory.invalid/hook' },
  },
  {
    channelId: 'channel_assembly',
    name: 'Assembly',
    channelType: 'email',
    description: 'Of another organization',
    config: { host: 'mail.factory.example' },
    orgId: ids.withDevices,
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
