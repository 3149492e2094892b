import { closeSync, openSync, writeSync } from 'node:fs';
import type { ObservedRequest } from './outcome.ts';
import { createTranscript, harEntry, harFrame, ndjsonLine, type RecordedExchange } from './transcript.ts';

export type TranscriptFile = {
  /** For the platform's `observe`. */
  observe(observed: ObservedRequest): void;
  /** Once everything observed so far is written. Rejects with the system's error where something could not be. */
  close(): Promise<void>;
};

/**
 * Begins a transcript, in place of what is at `path`: an HTTP Archive where the name ends in .har, else NDJSON. It is whole after every
 * exchange, so that a killed sandbox leaves one that can be read. Only its owner may read a new one.
 * @param version of this tool
 * @throws the system's error where the file cannot be written
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
