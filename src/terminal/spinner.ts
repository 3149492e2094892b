/** Shows on stderr what the command waits for, and the progress of long work. The only file that loads ora. */
import { spanText } from '../output/brief.ts';
import { cutText, prepareWidths } from '../output/text-width.ts';
import type { Environment } from '../text/environment.ts';
import { groupDigits } from '../text/group-digits.ts';
import { visible } from '../text/visible.ts';
import { isPlain, type Output } from './streams.ts';
import type { Waiting } from './waiting.ts';

type WaitingWorld = {
  readonly stderr: Output;
  readonly env: Environment;
  readonly color: boolean;
};

/** In milliseconds. */
const lineInterval = 10_000;

/** `hide` removes everything that `show` drew. */
type Screen = { show(text: string): void; hide(): void };

/** Shows waits at a terminal on stderr. Loads nothing before something is shown, and does not keep the process alive. */
export function openWaiting(world: WaitingWorld): Waiting {
  // ora would remove lines without end on a terminal without a width, as some CI jobs have.
  const isLines = isPlain(world.env) || world.stderr.columns === 0;
  const screen = isLines ? openPlainScreen(world.stderr) : openSpinner(world);
  const waits: { text: string; readonly quietFor: number }[] = [];
  let starting: NodeJS.Timeout | undefined;
  let isShown = false;

  const show = () => {
    isShown = true;
    // An empty text means that another program has the terminal, for example to ask for a password: outer waits are not shown either.
    const text = waits.some((wait) => wait.text === '') ? '' : (waits[0]?.text ?? '');
    if (text !== '') screen.show(visible(text));
  };
  const hide = () => {
    clearTimeout(starting);
    screen.hide();
    isShown = false;
    const [first] = waits;
    if (first) starting = setTimeout(show, first.quietFor).unref();
  };
  return {
    begin(text, shows = 'after a second') {
      const quietAtFirst = isLines ? lineInterval : 0;
      const wait = { text, quietFor: shows === 'after a second' ? 1000 : quietAtFirst };
      waits.push(wait);
      if (waits.length === 1 || text === '') hide();
      return {
        say(other) {
          wait.text = other;
          if (isShown) show();
        },
        end() {
          const at = waits.indexOf(wait);
          if (at < 0) return;
          waits.splice(at, 1);
          if (at === 0 || wait.text === '') hide();
        },
      };
    },
    hide,
    finish() {
      waits.length = 0;
      hide();
    },
  };
}

/** A spinner on one row. Its text is cut, because a longer line would leave rows behind. */
function openSpinner({ stderr, env, color }: WaitingWorld): Screen {
  let text: string | undefined;
  let drawn: { text: string; stop(): unknown } | undefined;
  const fitted = () => cutText(text ?? '', Math.max(1, (stderr.columns || 80) - 6));
  const start = async () => {
    const { default: ora } = await import('ora');
    await prepareWidths([text ?? '']);
    if (text === undefined || drawn) return;
    drawn = ora({
      text: fitted(),
      stream: stderr as NodeJS.WriteStream, // at a terminal, it is one of Node's streams
      discardStdin: false,
      hideCursor: false,
      isEnabled: true,
      color: color ? 'cyan' : false,
      spinner: env.TERM === 'linux' ? 'line' : undefined,
    }).start();
  };
  return {
    show(shown) {
      const isNew = text === undefined;
      text = shown;
      if (drawn) drawn.text = fitted();
      else if (isNew) void start();
    },
    hide() {
      text = undefined;
      drawn?.stop();
      drawn = undefined;
    },
  };
}

/** Writes a line at once, and repeats it every ten seconds. Nothing is redrawn. */
function openPlainScreen(stderr: Output): Screen {
  let text = '';
  let repeating: NodeJS.Timeout | undefined;
  const line = () => void stderr.write(`${text}\n`);
  return {
    show(shown) {
      text = shown;
      if (repeating) return;
      line();
      repeating = setInterval(line, lineInterval).unref();
    },
    hide() {
      clearInterval(repeating);
      repeating = undefined;
    },
  };
}

/** Numbers of items of long work. Skipped ones were done by an earlier run. */
type WorkCounts = {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped?: number;
  readonly unknown?: number;
};

type ProgressWorld = {
  readonly waiting: Waiting;
  readonly options: { readonly verbose?: boolean | undefined; readonly debug?: boolean | undefined };
};

type Progress = { say(text: string): void; update(work: WorkCounts): void; finish(): void };

/** Shows the progress of long work at once: how much is done, and how fast. Shows nothing with traces, which would mix with it. */
export function openProgress({ waiting, options }: ProgressWorld, now: () => number): Progress {
  const isTraced = options.verbose === true || options.debug === true;
  const wait = waiting.begin('', 'at once');
  const began = now();
  const say = (text: string) => {
    if (!isTraced) wait.say(text);
  };
  return {
    say,
    update: (work: WorkCounts) => say(workText(work, (now() - began) / 1000)),
    finish: wait.end,
  };
}

/** `1,204 of 2,000 done, 3 failed, 48 a second, 17 s left` */
export function workText({ total, done, failed, skipped = 0, unknown = 0 }: WorkCounts, seconds: number): string {
  const number = (value: number) => groupDigits(Math.round(value));
  const worked = done + failed + unknown;
  const perSecond = worked / Math.max(0.001, seconds);
  const left = (total - skipped - worked) / perSecond;
  const parts = [
    `${number(done + skipped)} of ${number(total)} done`,
    failed > 0 && `${number(failed)} failed`,
    `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : number(perSecond)} a second`,
    Number.isFinite(left) && `${spanText(Math.ceil(left) * 1000)} left`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}
