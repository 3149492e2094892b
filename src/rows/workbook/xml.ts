import { Failure } from '../../failure.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Callbacks for the parts of a document, as they are read. Element names have no prefix. */
export type XmlReader = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

/** In bytes. More text without the start or end of an element is refused: the longest cell is shorter. */
const longestSilence = 4 * 1024 * 1024;

/** Workbooks have about ten levels. Each open element takes memory, and a ZIP archive holds millions of them in a few kilobytes. */
const deepest = 1000;

/**
 * Reads a document. Yields after each piece, so that the caller can pass on rows. Ignores document types, so entities cannot expand. The only file that
 * loads saxes.
 * @throws usage if it is not well-formed XML
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  reader: XmlReader,
): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let silence = 0;
  let depth = 0;
  const fail = (cause: unknown): never => {
    if (cause instanceof Failure) throw cause;
    const hint = 'Save it without a password, or save its sheet as "CSV UTF-8"';
    throw new Failure('usage', `${name} cannot be read as a workbook: it is damaged.`, { hint, cause });
  };
  parser.on('error', fail);
  parser.on('opentag', ({ name: tag, attributes }) => {
    silence = 0;
    depth += 1;
    if (depth > deepest) fail(new Error('nested too deep'));
    reader.open?.(localName(tag), attributes as Attributes); // strings, because `xmlns` is off
  });
  parser.on('closetag', ({ name: tag }) => {
    silence = 0;
    depth -= 1;
    reader.close?.(localName(tag));
  });
  parser.on('text', (text) => reader.text?.(text));
  parser.on('cdata', (text) => reader.text?.(text));
  const parse = (chunk?: Uint8Array) => {
    try {
      parser.write(decoder.decode(chunk, { stream: chunk !== undefined }));
      if (!chunk) parser.close();
    } catch (error) {
      fail(error);
    }
  };
  for await (const chunk of bytes) {
    silence += chunk.length;
    if (silence > longestSilence) fail(new Error('too long without an element'));
    parse(chunk);
    yield;
  }
  parse();
  yield;
}

/** Reads a whole document. @throws usage if it is not well-formed XML */
export async function readWhole(bytes: AsyncIterable<Uint8Array>, name: string, reader: XmlReader): Promise<void> {
  for await (const _piece of readXml(bytes, name, reader));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
