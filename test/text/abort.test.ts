import { describe, expect, it } from 'vitest';
import { onAbort, rejectOnAbort, untilAborted } from '../../src/text/abort.ts';

describe('onAbort', () => {
  it('calls the function at once if the signal is already aborted', () => {
    let acts = 0;
    const letGo = onAbort(AbortSignal.abort(), () => {
      acts += 1;
    });
    expect(acts).toBe(1);
    letGo();
    expect(acts).toBe(1);
  });

  it('does not call a function whose registration is removed, but does another', () => {
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

const reason = new Error('stopped by the test');

it.each([
  ['before', (control: AbortController) => control.abort(reason)],
  ['after', (control: AbortController) => void setImmediate(() => control.abort(reason))],
])('rejectOnAbort and untilAborted settle if the signal is aborted %s the call', async (_, abort) => {
  const control = new AbortController();
  abort(control);
  const rejected = rejectOnAbort(control.signal);
  const resolved = untilAborted(control.signal);
  await expect(rejected).rejects.toBe(reason);
  await expect(resolved).resolves.toBeUndefined();
});
