import type { FailureKind } from '../failure.ts';

/** One change: what was changed and with which outcome; names of fields, but no values and no secrets. */
export type HistoryEntry = {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly profile: string;
  /** Account or client ID, if known. */
  readonly account: string | null;
  /** Who ran it on which machine; null in what an earlier version has written, and `sudoUser` without sudo. */
  readonly osUser: string | null;
  readonly sudoUser: string | null;
  readonly host: string | null;
  readonly baseUrl: string;
  /** Path and ID of the tenant as far as they are known, and how the command was logged in: null in what an earlier version has written. */
  readonly tenant: string | null;
  readonly tenantId: string | null;
  readonly flow: string | null;
  readonly orgId: string | null;
  /** "templates.update" */
  readonly operation: string;
  readonly subject: Subject;
  /** "delay", "notification.channelIds". */
  readonly fields: readonly string[];
  /** Of a run of rows: how many, the SHA-256 of their file, and the IDs of those that were changed or may have been, the first thousand. */
  readonly rows: RowsOfRun | null;
  readonly sha256: string | null;
  readonly ids: readonly string[] | null;
  readonly outcome: (typeof outcomes)[number];
  readonly status: number | null;
  readonly error: { readonly code: FailureKind; readonly status: number | null } | null;
  readonly requestId: string | null;
  /** When and where the outcome was looked up, since no response told it. */
  readonly looked: { readonly at: string; readonly where: string } | null;
};

/**
 * 'unknown': it may have been applied, but no response confirms it. Of runs of rows: 'partial' if not all are done, 'running' before their end, and
 * 'interrupted' for one whose process was killed.
 */
export const outcomes = ['done', 'failed', 'unknown', 'partial', 'running', 'interrupted'] as const;

/** The rows of a run; those of an earlier one were `skipped`, and `unknown` may have been applied. Null where nothing tells, as of a killed run. */
type RowsOfRun = { readonly [K in 'done' | 'failed' | 'skipped' | 'notSent' | 'unknown']: number | null } & {
  readonly total: number;
};

/** How many IDs an entry has of a run of rows. */
export const mostIds = 1000;

/** What was changed: `{type: 'template', id: 'template_001'}`. What has no ID yet has its name. */
export type Subject = { readonly type: string; readonly id: string };
