import type { FailureKind } from '../failure.ts';

/** One change: what was changed, and its outcome. It has names of fields, but no values and no secrets. */
export type HistoryEntry = {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly profile: string;
  /** Account or client ID, if known. */
  readonly account: string | null;
  /** The user and the machine that ran the command. Null in entries of earlier versions, and `sudoUser` also without sudo. */
  readonly osUser: string | null;
  readonly sudoUser: string | null;
  readonly host: string | null;
  readonly baseUrl: string;
  /** The tenant's path and ID as far as they are known, and how the command was logged in. Null in entries of earlier versions. */
  readonly tenant: string | null;
  readonly tenantId: string | null;
  readonly flow: string | null;
  readonly orgId: string | null;
  readonly operation: string;
  readonly subject: Subject;
  /** "delay", "notification.channelIds". */
  readonly fields: readonly string[];
  /** Of a run of rows: their numbers, the SHA-256 of their file, and the first thousand IDs that were changed or may have been. */
  readonly rows: RowsOfRun | null;
  readonly sha256: string | null;
  readonly ids: readonly string[] | null;
  readonly outcome: (typeof outcomes)[number];
  readonly status: number | null;
  readonly error: { readonly code: FailureKind; readonly status: number | null } | null;
  readonly requestId: string | null;
  /** When and where the outcome was looked up, if no response told it. */
  readonly looked: { readonly at: string; readonly where: string } | null;
};

/**
 * 'unknown': the change may have been applied, but no response confirms it. For runs of rows: 'partial' if not all rows are done, 'running' before
 * the end, and 'interrupted' if the process was killed.
 */
export const outcomes = ['done', 'failed', 'unknown', 'partial', 'running', 'interrupted'] as const;

/** The numbers of rows of a run. `skipped` rows were done by an earlier run; `unknown` ones may have been applied. Null if not known, as for a killed run. */
type RowsOfRun = { readonly [K in 'done' | 'failed' | 'skipped' | 'notSent' | 'unknown']: number | null } & {
  readonly total: number;
};

/** The largest number of IDs in the entry of a run of rows. */
export const mostIds = 1000;

/** The thing that was changed: `{type: 'template', id: 'template_001'}`. `id` is the name of a thing without an ID yet. */
export type Subject = { readonly type: string; readonly id: string };
