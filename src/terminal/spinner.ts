/** Shows on stderr what is waited for. The only file that loads ora. */
import { cutText, prepareWidths } from '../output/text-width.ts';
import type { Environment } from '../text/environment.ts';
import { visible } from '../text/visible.ts';
import { isPlain, type Output } from './streams.ts';
import type { Waiting } from './waiting.ts';

type WaitingWorld = { readonly stderr: Output; readonly env: Environment; readonly color: boolean };

const betweenLines = 10_000;

/** Shows the text. `hide` removes everything that was drawn. */
type Screen = { show(text: string): void; hide(): void };

/** For a terminal on stderr. Loads nothing before something is shown, and does not keep the process alive. */
export function openWaiting(world: WaitingWorld): Waiting {
  const isLines = isPlain(world.env);
  const screen = isLines ? plainScreen(world.stderr) : spinner(world);
  const waits: { text: string; readonly quietFor: number }[] = [];
  let starting: NodeJS.Timeout | undefined;
  let isShown = false;

  const show = () => {
    isShown = true;
    const text = waits[0]?.text ?? '';
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
      const wait = { text, quietFor: shows === 'after a second' ? 1000 : isLines ? betweenLines : 0 };
      waits.push(wait);
      if (waits.length === 1) hide();
      return {
        say(other) {
          wait.text = other;
          if (isShown) show();
        },
        end() {
          const at = waits.indexOf(wait);
          if (at < 0) return;
          waits.splice(at, 1);
          if (at === 0) hide();
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

/** A spinner on one row: a longer line would leave rows behind. */
function spinner({ stderr, env, color }: WaitingWorld): Screen {
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

/** Lines that never redraw: the first one at once, then one every ten seconds. */
function plainScreen(stderr: Output): Screen {
  let text = '';
  let repeating: NodeJS.Timeout | undefined;
  const line = () => void stderr.write(`${text}\n`);
  return {
    show(shown) {
      text = shown;
      if (repeating) return;
      line();
      repeating = setInterval(line, betweenLines).unref();
    },
    hide() {
      clearInterval(repeating);
      repeating = undefined;
    },
  };
}
