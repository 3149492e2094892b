import { Transform } from 'node:stream';

/**
 * Responses of a terminal to a program that asked for its features, such as an editor that has just ended: over a slow connection they arrive when the
 * next program reads. Readline would take their ends for typed text: `ESC [ ? 1 2 ; 2 $ y` for "12;2$y". No key sends them.
 */
const response = /\u001b(?:\[[?>=][\d;]*[ $]?[A-Za-z]|\[\d+;\d+R|[\]P][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** A stream that passes on typed bytes, and drops responses of the terminal. */
export function dropResponses(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, Buffer.from(chunk.toString('latin1').replace(response, ''), 'latin1'));
    },
  });
}
