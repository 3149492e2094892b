import { closeSync, openSync, writeSync } from 'node:fs';
import type { ObservedRequest } from './outcome.ts';
import { createTranscript, harEntry, harFrame, ndjsonLine, type RecordedExchange } from './transcript.ts';

export type TranscriptFile = {
  /** For the platform's `observe`. */
  observe(observed: ObservedRequest): void;
  /** Resolves once everything observed so far is written. Rejects with the system's error if something could not be written. */
  close(): Promise<void>;
};

/**
 * Starts a transcript and replaces any file at `path`: an HTTP Archive if the name ends in .har, otherwise NDJSON. The file is complete after every
 * exchange, so that it is readable even if the sandbox is killed. Only its owner can read a new one.
 * @param version of this tool
 * @throws the system's error if the file cannot be written
 */
export function openTranscriptFile(path: string, version: string): TranscriptFile {
  const file = openSync(path, 'w', 0o600);
  const form = path.toLowerCase().endsWith('.har') ? archive(version) : lines;
  let place = 0;
  let failure: unknown;
  const put = (text: string, kept: number) => {
    writeWhole(file, text, place);
    place += kept;
  };
  put(form.begin + form.end, Buffer.byteLength(form.begin));
  const transcript = createTranscript((exchange) => {
    if (failure !== undefined) return;
    try {
      const entry = form.entry(exchange);
      put(entry + form.end, Buffer.byteLength(entry));
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

type Form = { readonly begin: string; readonly end: string; entry(exchange: RecordedExchange): string };

const lines: Form = { begin: '', end: '', entry: ndjsonLine };

function archive(version: string): Form {
  const [begin, end] = harFrame(version);
  let first = true;
  const entry = (exchange: RecordedExchange) => {
    const separator = first ? '' : ',\n';
    first = false;
    return separator + JSON.stringify(harEntry(exchange));
  };
  return { begin, end, entry };
}

function writeWhole(file: number, text: string, place: number): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, place + written);
}
