/** Kinds of values that only this machine or the platform knows. */
const liveKinds = [
  'profiles',
  'organizations',
  'templates',
  'template-names',
  'template-files',
  'channels',
  'credentials',
  'policies',
  'devices',
  'zones',
  'paths',
  'requests',
  'columns',
] as const;

export type LiveKind = (typeof liveKinds)[number];
