import { usage } from '../failure.ts';

/** Fails as `usage` unless a profile name is a letter or digit followed by up to 63 letters, digits, dots, underscores or hyphens. */
export function checkProfileName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  const hint = 'A name is up to 64 letters, digits, ".", "_" and "-", and begins with a letter or a digit.';
  throw usage(`${JSON.stringify(name.slice(0, 80))} cannot be the name of a profile.`, hint);
}
