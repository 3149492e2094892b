import type { Fault } from './faults.ts';
import { abpError, Refusal } from './reply.ts';

/** An answer, or that there is none: the connection is to be cut, or left in silence. */
export type Outcome = Response | 'reset' | 'hang';

/** What becomes of a request that a fault meets, or that none does. */
export async function withFault(
  fault: Fault | undefined,
  request: Request,
  carryOut: (request: Request) => Promise<Response>,
  marks: (request: Request) => Readonly<Record<string, string>>,
): Promise<Outcome> {
  if (!fault) return carryOut(request);
  switch (fault.kind) {
    case 'reset-after':
      await carryOut(request);
      return 'reset';
    case 'status':
      return faultResponse(fault, marks(request));
    default:
      return fault.kind;
  }
}

function faultResponse(
  { status, retryAfter }: Extract<Fault, { kind: 'status' }>,
  marks: Readonly<Record<string, string>>,
): Response {
  const message = `A fault of the sandbox: ${status}, as its rules ask for.`;
  const headers = { ...marks, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  return Response.json(abpError(new Refusal(status, 'Sandbox:Fault', message)), { status, headers });
}

/** An outcome as a fetch has it: a cut connection rejects, and a silent one waits until the request is aborted. */
export async function asFetch(answer: Outcome, { signal }: Request): Promise<Response> {
  if (typeof answer !== 'string') return answer;
  if (answer === 'reset') throw Object.assign(new Error('The connection was reset'), { code: 'ECONNRESET' });
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
