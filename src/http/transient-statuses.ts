/** Statuses that may go away on another attempt: those of docs/contract.md, "Repeated requests", 421 (another connection) and 425 (too early). */
export const transientStatuses: ReadonlySet<number> = new Set([408, 421, 425, 429, 500, 502, 503, 504]);
