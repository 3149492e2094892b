import { describe, expect, it } from 'vitest';
import { onAbort, rejectOnAbort, untilAborted } from '../../src/text/abort.ts';

describe('onAbort', () => {
  it('acts once when the signal is aborted', () => {
    const control = new AbortController();
    let acts = 0;
    onAbort(control.signal, () => {
      acts += 1;
    });
    expect(acts).toBe(0);
    control.abort();
    control.abort();
    expect(acts).toBe(1);
  });

  it('acts at once where the signal is aborted already', () => {
    let acts = 0;
    const letGo = onAbort(AbortSignal.abort(), () => {
      acts += 1;
    });
    expect(acts).toBe(1);
    letGo();
    expect(acts).toBe(1);
  });

  it('does not act after it was let go, and leaves a second listener of the same function alone', () => {
    const control = new AbortController();
    let acts = 0;
    const act = () => {
      acts += 1;
    };
    const letGo = onAbort(control.signal, act);
    onAbort(control.signal, act);
    letGo();
    control.abort();
    expect(acts).toBe(1);
  });
});

describe('the promises of an abort', () => {
  const reason = new Error('stopped by the test');

  it.each([
    ['before', (control: AbortController) => control.abort(reason)],
    ['after', (control: AbortController) => void setImmediate(() => control.abort(reason))],
  ])('settle where the signal is aborted %s they are made', async (_, abort) => {
    const control = new AbortController();
    abort(control);
    const rejected = rejectOnAbort(control.signal);
    const resolved = untilAborted(control.signal);
    await expect(rejected).rejects.toBe(reason);
    await expect(resolved).resolves.toBeUndefined();
  });
});
