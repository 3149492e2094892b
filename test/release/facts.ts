import type { Facts } from '../../build/release/facts.ts';

/** A release of a project that has an address. */
export const facts: Facts = {
  version: '1.2.3',
  commit: '0123456789abcdef0123456789abcdef01234567',
  epoch: Date.UTC(2026, 5, 1, 12) / 1000,
  project: { repository: 'https://git.example/iiot', bugs: '', homepage: 'https://iiot.example' },
};
