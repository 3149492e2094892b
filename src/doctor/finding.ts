import type { FailureKind } from '../failure.ts';

/** The result of one check. A failure has the kind with which the command ends. */
export type Finding = {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failure';
  readonly says: string;
  readonly hint?: string;
  readonly kind?: FailureKind;
};

export const ok = (check: string, says: string): Finding => ({ check, status: 'ok', says });

export const warning = (check: string, says: string, hint: string): Finding => ({
  check,
  status: 'warning',
  says,
  hint,
});

export const failed = (check: string, kind: FailureKind, says: string, hint: string): Finding => ({
  check,
  status: 'failure',
  says,
  hint,
  kind,
});
