const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds of a duration such as 500ms, 30s, 2m, 12h, 90d, 1h30m; undefined for any other text. */
export function milliseconds(text: string): number | undefined {
  if (text.length > 40 || !/^(\d+(\.\d+)?(ms|s|m|h|d|w))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? Number.NaN);
  }
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined;
}
