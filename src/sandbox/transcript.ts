import { closeSync, writeSync } from 'node:fs';
import { isHarmless } from '../contract/harmless.ts';
import { harmlessParameters } from '../contract/shared.ts';
import { createMask } from '../text/mask.ts';
import { shownBody } from '../text/shown-body.ts';
import type { ObservedRequest } from './outcome.ts';

/** A request and its response without secrets, ready to be shown and stored. */
export type RecordedExchange = {
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly milliseconds: number;
  readonly request: Message & { readonly method: string; readonly url: string };
  /** Null if the connection was cut or left without a response. */
  readonly answer: (Message & { readonly status: number }) | null;
};

type Message = {
  readonly headers: readonly (readonly [string, string])[];
  /** The text of JSON and forms; for other types only the size. */
  readonly body: { readonly type: string; readonly size: number; readonly text?: string } | null;
};

/** Passes masked exchanges to `take`, in the order in which they ended. */
export function createTranscript(take: (exchange: RecordedExchange) => void) {
  let queue = Promise.resolve();
  return {
    observe: (observed: ObservedRequest) => {
      const exchange = readExchange(observed);
      queue = queue.then(async () => take(await exchange));
    },
    /** Resolves once everything observed so far has been passed on. */
    settled: () => queue,
  };
}

async function readExchange({ at, milliseconds, request, outcome }: ObservedRequest): Promise<RecordedExchange> {
  const { method, url } = request;
  return {
    at: new Date(at).toISOString(),
    milliseconds,
    request: { method, url: mask.url(url), ...(await record(request, 'request')) },
    answer: typeof outcome === 'string' ? null : { status: outcome.status, ...(await record(outcome, 'response')) },
  };
}

export const mask = createMask(harmlessParameters);

async function record(from: Request | Response, of: 'request' | 'response'): Promise<Message> {
  const headers = [...from.headers].map(([name, value]): [string, string] => [name, mask.header(name, value, of)]);
  const text = await from.text();
  if (text === '') return { headers, body: null };
  const type = from.headers.get('content-type') ?? '';
  const kind = /^application\/(?:(x-www-form-urlencoded)|(?:[\w.-]+\+)?json)/.exec(type);
  const shown = kind && mask.text(shownBody(text, (name) => isHarmless(name, kind[1] ? 'login' : 'other')));
  return { headers, body: { type, size: Buffer.byteLength(text), ...(shown !== null && { text: shown }) } };
}

type Layout = {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  write(exchange: RecordedExchange): string;
};

const ndjson: Layout = { begin: '', between: '', end: '', write: (exchange) => `${JSON.stringify(exchange)}\n` };

/** The layout of an HTTP Archive 1.2, which browsers and proxies can read. */
export function archiveLayout(version: string): Layout {
  const creator = JSON.stringify({ name: 'iiot sandbox', version });
  return {
    begin: `{"log":{"version":"1.2","creator":${creator},"entries":[\n`,
    between: ',\n',
    end: '\n]}}\n',
    write: (exchange) => JSON.stringify(harEntry(exchange)),
  };
}

/** An exchange as an entry of an HTTP Archive, which uses the status 0 for a cut connection. */
function harEntry({ at, milliseconds, request, answer }: RecordedExchange): object {
  const { searchParams } = new URL(request.url);
  return {
    startedDateTime: at,
    time: milliseconds,
    request: {
      method: request.method,
      url: request.url,
      queryString: [...searchParams].map(([name, value]) => ({ name, value })),
      ...harMessage(request),
      ...(request.body && { postData: { mimeType: request.body.type, text: request.body.text ?? '' } }),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: '',
      redirectURL: answer?.headers.find(([name]) => name === 'location')?.[1] ?? '',
      ...harMessage(answer),
      content: { size: answer?.body?.size ?? 0, mimeType: answer?.body?.type ?? '', text: answer?.body?.text ?? '' },
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  };
}

function harMessage(message: Message | null): object {
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: (message?.headers ?? []).map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: message?.body?.size ?? 0,
  };
}

export type TranscriptFile = {
  observe(observed: ObservedRequest): void;
  /** Resolves once everything observed so far is written. Rejects with the system's error if something could not be written. */
  close(): Promise<void>;
};

/** The layout of an HTTP Archive if the name of the file ends in .har, otherwise of NDJSON. @param version of this tool */
export function layoutFor(path: string, version: string): Layout {
  return path.toLowerCase().endsWith('.har') ? archiveLayout(version) : ndjson;
}

/** Whether a file that begins with this text is a transcript, or empty. */
export function isTranscript(beginning: string): boolean {
  return /^($|\{"log":\{"version":"1\.2","creator":\{"name":"iiot sandbox"|\{"at":"[^"]*","milliseconds":)/.test(
    beginning,
  );
}

/** Writes a transcript, complete after every exchange, even if the sandbox is killed. @throws the system's error if it cannot be written */
export function writeTranscript(file: number, layout: Layout): TranscriptFile {
  let position = 0;
  let separator = '';
  let failure: unknown;
  const put = (text: string) => {
    const bytes = Buffer.from(text + layout.end);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
    position += Buffer.byteLength(text);
  };
  put(layout.begin);
  const transcript = createTranscript((exchange) => {
    if (failure !== undefined) return;
    try {
      put(separator + layout.write(exchange));
      separator = layout.between;
    } catch (error) {
      failure = error;
    }
  });
  return {
    observe: transcript.observe,
    close: async () => {
      await transcript.settled();
      closeSync(file);
      if (failure !== undefined) throw failure;
    },
  };
}
