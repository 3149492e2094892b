import type { Paint } from './paint.ts';
import { paintFor } from './paint.ts';
import type { Sink } from './result.ts';

/** A sink that colours JSON text, if colour is wanted. Every piece of text has to end between two tokens. */
export async function jsonSink(sink: Sink): Promise<Sink> {
  if (!sink.color) return sink;
  const paint = await paintFor(true);
  return {
    isTerminal: sink.isTerminal,
    color: sink.color,
    get columns() {
      return sink.columns;
    },
    get closed() {
      return sink.closed;
    },
    write: (text) => sink.write(typeof text === 'string' ? paintedJson(text, paint) : text),
  };
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON text with different colours for names, strings, numbers and keywords. */
function paintedJson(json: string, paint: Paint): string {
  return json.replace(token, (whole, text?: string, colon?: string) => {
    if (text !== undefined) return colon === undefined ? paint.good(text) : paint.heading(text) + colon;
    return /^[tfn]/.test(whole) ? paint.caution(whole) : paint.id(whole);
  });
}
