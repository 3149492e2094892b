/** A field of a Quartz expression: its name, and the values that it accepts. */
export type QuartzField = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Three letters each; the first one stands for `least`. */
  readonly names?: readonly string[];
  /** Longer words that mean the same as their first three letters. */
  readonly longNames?: readonly string[];
  readonly days?: 'month' | 'week';
  /** Accepts any number, including years that never come. */
  readonly open?: true;
  /** The accepted values in words that follow "it takes". */
  readonly takes: string;
};
const months = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ');

/** The seven fields in their order. Years are 1970 to 2299, because no engine fires outside of them. */
export const quartzFields = {
  seconds: { name: 'seconds', least: 0, most: 59, takes: '0 to 59' },
  minutes: { name: 'minutes', least: 0, most: 59, takes: '0 to 59' },
  hours: { name: 'hours', least: 0, most: 23, takes: '0 to 23' },
  dayOfMonth: {
    name: 'day of month',
    least: 1,
    most: 31,
    days: 'month',
    takes: '1 to 31, L, L-3, LW, L-3W, 15W or ?',
  },
  month: {
    name: 'month',
    least: 1,
    most: 12,
    names: months.map((month) => month.slice(0, 3)),
    longNames: months,
    takes: '1 to 12 or JAN to DEC',
  },
  dayOfWeek: {
    name: 'day of week',
    least: 1,
    most: 7,
    names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const,
    days: 'week',
    takes: '1 (Sunday) to 7 (Saturday), SUN to SAT, L, 6L, 6#3 or ?',
  },
  year: {
    name: 'year',
    least: 1970,
    most: 2299,
    open: true,
    takes: 'numbers such as 2027',
  },
} as const satisfies Record<string, QuartzField>;
