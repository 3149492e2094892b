import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP archive with these parts, packed. `claim` is what it says of their size, unpacked. */
export function zipOf(parts: Readonly<Record<string, string | Buffer>>, claim?: number): Buffer {
  const files = Object.entries(parts).map(([name, content]) => {
    const bytes = Buffer.from(content as string);
    return { name: Buffer.from(name), packed: deflateRawSync(bytes), size: claim ?? bytes.length, crc: crc32(bytes) };
  });
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, size, crc } of files) {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc, 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(offset, 10);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed];
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, where, name);
    written.push(...local);
    offset += local.reduce((sum, bytes) => sum + bytes.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...written, listed, end]);
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of an Excel workbook with one sheet of these rows (XML); `more` are further parts, or others of these. */
export function xlsxParts(rows: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${documents}/${kind}" Target="${target}"/>`;
  return {
    '_rels/.rels': `${xml}<Relationships xmlns="${packages}">${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${xml}<x:workbook xmlns:x="m" xmlns:r="${documents}"><x:sheets><x:sheet name="One" r:id="s"/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packages}">${relation('s', 'worksheet', '/xl/one.xml')}${relation('t', 'sharedStrings', 'texts.xml')}${relation('f', 'styles', 'styles.xml')}</Relationships>`,
    'xl/texts.xml': `${xml}<sst><si><t>deviceId</t></si><si><r><t>a</t></r><r><t xml:space="preserve"> _x000A_b</t></r><rPh><t>no</t></rPh></si></sst>`,
    'xl/styles.xml': `${xml}<styleSheet><numFmts><numFmt numFmtId="200" formatCode="&quot;P-&quot;0000"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="22"/><xf numFmtId="46"/><xf numFmtId="4"/></cellXfs></styleSheet>`,
    'xl/one.xml': `${xml}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  };
}

/** An OpenDocument spreadsheet with these tables (XML). */
export function odsParts(tables: string): Record<string, string> {
  const spaces = ['office', 'table', 'text', 'calcext'].map((name) => `xmlns:${name}="urn:${name}"`).join(' ');
  return { 'content.xml': `${xml}<office:document-content ${spaces}>${tables}</office:document-content>` };
}
