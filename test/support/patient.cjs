'use strict';

// Required before the program: the platform may take a minute to answer a Tab, as it may where the machine is busy.
const { timeout } = AbortSignal;
const { setTimeout } = globalThis;
const longer = (milliseconds) => (milliseconds === 350 ? 60_000 : milliseconds);
AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, longer(milliseconds));
globalThis.setTimeout = (act, milliseconds, ...given) => setTimeout(act, longer(milliseconds), ...given);
