/** What spreadsheets and other programs make of a file before it is read: said, asked about, or refused. */
import { describe, expect, it } from 'vitest';
import { odsParts, xlsxParts, zipOf } from '../rows/zip.ts';
import { answering } from '../support/administrator.ts';
import { personForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';

const someone = personForEach();
const folder = folderForEach();
const own = (name: string) => `test/files/spreadsheets/${name}`;
const sent = () => someone.requests.filter((request) => /^(PUT|PATCH|POST .*(batches|credentials))/.test(request));

const commands = {
  devices: ['devices', 'custom-info', 'import'],
  policies: ['policies', 'update', '--rows'],
  templates: ['templates', 'update', '--rows'],
  channels: ['channels', 'update', '--rows'],
  batches: ['batches', 'create', '--rows'],
  credentials: ['credentials', 'create', '--secret-dir', 'secrets', '--rows'],
} as const;
type Name = keyof typeof commands;

async function ran(name: Name, file: string, words: readonly string[] = ['--yes']) {
  const { exit, stderr } = await someone.iiot([...commands[name], file, ...words, '--journal', folder.at('journal')]);
  return {
    exit,
    said: stderr
      .replaceAll(`${folder.at('')}/`, '')
      .split('\n')
      .slice(0, -1),
  };
}

const csv = (name: Name, text: string, words?: readonly string[]) => ran(name, folder.write('rows.csv', text), words);

/** What is said of rows that are refused; nothing is sent. */
async function refusalOf(result: ReturnType<typeof ran>) {
  const { exit, said } = await result;
  expect([exit, sent()]).toEqual([2, []]);
  return said;
}

/** What is said of rows that are sent, beside what replaces a list. */
async function notesOf(result: ReturnType<typeof ran>) {
  const { exit, said } = await result;
  expect(exit).toBe(0);
  return said.filter((line) => line.startsWith('Note: ') && !line.includes(' the whole '));
}

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (line: number, cells: string, more = '') => `<row r="${line}" ${more}>${cells}</row>`;
const xml = '<?xml version="1.0"?>';

/** A workbook of Excel: its rows and what stands before them, and other parts. */
function workbook(rows: string, { before = '', after = '', ...more }: Record<string, string> = {}) {
  const sheet = `${xml}<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
  return folder.write('book.xlsx', zipOf(xlsxParts('', { 'xl/one.xml': sheet, ...more })));
}

const texts = (line: number, values: readonly string[], more?: string) => row(line, values.map(cell).join(''), more);

describe('hidden columns and rows', () => {
  it('are named once before the question at a terminal', async () => {
    const { streams, text } = answering('n\n');
    const words = [...commands.devices, own('hidden-column.xlsx'), '--journal', folder.at('journal')];
    const { exit } = await someone.iiot(words, { ...streams, env: { TERM: 'dumb' } });
    expect([exit, sent()]).toEqual([130, []]);
    expect(text().split('Note: ')).toEqual([
      expect.not.stringContaining('threshold'),
      expect.stringMatching(
        /^1 hidden column \(threshold\) is sent, too\.\nSet custom information of 5 devices .* \(y\/N\)/,
      ),
    ]);
  });

  it.each([
    ['hidden', '<cols><col min="2" max="3" hidden="1"/></cols>', ' hidden="1"'],
    ['of width and height 0', '<cols><col min="2" max="3" width="0" customWidth="1"/></cols>', ' ht="0"'],
    [
      'in a group that is closed',
      '<cols><col min="2" max="3" outlineLevel="1" hidden="true"/></cols>',
      ' hidden="true"',
    ],
  ])('are named together if they are %s', async (_, before, more) => {
    const rows = [
      texts(1, ['deviceId', 'a', 'b', 'c']),
      ...[2, 3].map((line) => texts(line, [`press-000${line}`, '1', '2', '3'], more)),
    ];
    expect(await notesOf(ran('devices', workbook(rows.join(''), { before })))).toEqual([
      'Note: 2 hidden columns (a, b) and 2 hidden rows are sent, too (rows 2, 3).',
    ]);
    const words = ['--ignore-columns', 'a', '--ignore-columns', 'b', '--yes', '--resume'];
    expect((await ran('devices', workbook(rows.join(''), { before }), words)).said).toContain(
      'Note: 2 hidden rows are sent, too (rows 2, 3).',
    );
  });

  it.each([
    ['hidden', 'table:visibility="collapse"', '', ''],
    [
      'of width 0',
      'table:style-name="co1"',
      '<style:style style:name="co1" style:family="table-column"><style:table-column-properties style:column-width="0cm"/></style:style>',
      '',
    ],
    ['in a closed group', '', '', '<table:table-column-group table:display="false">'],
  ])('are named in .ods if they are %s', async (_, own, styles, group) => {
    const column = (more: string) => `<table:table-column ${more}/>`;
    const texts = (...values: string[]) =>
      `<table:table-row>${values.map((value) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`).join('')}</table:table-row>`;
    const columns =
      column('') + (group === '' ? column(own) : `${group}${column('')}</table:table-column-group>`) + column('');
    const table = `${styles}<table:table>${columns}${texts('deviceId', 'a', 'b')}${texts('press-0001', '1', '2')}</table:table>`;
    const parts = odsParts(table);
    const content = String(parts['content.xml']).replace('xmlns:office', 'xmlns:style="urn:style" xmlns:office');
    const file = folder.write('book.ods', zipOf({ 'content.xml': content }));
    expect(await notesOf(ran('devices', file))).toEqual(['Note: 1 hidden column (a) is sent, too.']);
  });

  it('are not named without a column name, or with panes, filters or protection', async () => {
    const before =
      '<sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews><cols><col min="3" max="16384" hidden="1"/></cols>';
    const rows = texts(1, ['deviceId', 'a']) + texts(2, ['press-0001', '1']);
    const after =
      '<sheetProtection sheet="1"/><autoFilter ref="A1:B2"/><dataValidations count="1"><dataValidation type="list" sqref="B2"><formula1>"1,2"</formula1></dataValidation></dataValidations>' +
      '<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>A1=1</formula></cfRule></conditionalFormatting><legacyDrawing/><tableParts count="1"/>';
    expect(await notesOf(ran('devices', workbook(rows, { before, after })))).toEqual([]);
    expect(someone.sent.at(-1)?.body).toBe('{"a":"1"}');
  });
});

describe('an import or --rows', () => {
  it('refuses a cell of 32,767 characters in a workbook, and notes it in CSV', async () => {
    const cut = "is as long as a spreadsheet's cell can be, and may be cut off.";
    expect((await refusalOf(ran('templates', own('cut-cell-pandas.xlsx'))))[0]).toBe(`Line 2: cell F2 ${cut}`);
    const content = 'x'.repeat(32_767);
    expect(await notesOf(csv('templates', `templateId,content\ntemplate_001,${content}\n`, ['--yes']))).toEqual([
      `Note: Line 2, content: "${'x'.repeat(80)}…" ${cut}`,
    ]);
    expect(await notesOf(csv('templates', `templateId,content\ntemplate_002,${content}x\n`, ['--yes']))).toEqual([]);
  });

  it('accepts cut texts, errors and empty formulas in columns that are left out', async () => {
    const wrong = ['#N/A', ''].map((value) => `<c t="${value ? 'e' : 'n'}"><f>A1</f><v>${value}</v></c>`).join('');
    const rows = texts(1, ['templateId', 'name', 'a', 'b', 'c']);
    const file = workbook(rows + row(2, cell('template_001') + cell('A') + cell('x'.repeat(32_767)) + wrong));
    expect(await notesOf(ran('templates', file, ['--yes', '--ignore-columns', 'a,b,c']))).toEqual([]);
    expect((await ran('templates', file, ['--yes', '--ignore-columns', 'a,c', '--resume'])).said[0]).toMatch(
      'column "b"',
    );
  });

  it.each<[string, string]>([
    ['deviceId,line\npress-0001,"=""0012"""\n', 'Line 2 has the formula ="0012" in column "line": write 0012.'],
    ['deviceId,line\n"=""press-1""",1\n', 'Line 2 has the formula ="press-1" in column "deviceId": write press-1.'],
    ['deviceId,line\npress-0001,="0012"\n', 'error: rows.csv has a formula instead of a text at line 2.'],
    [
      'deviceId,line\n1e+05,1\n',
      expect.stringMatching(/^Line 2 has the rounded number 1e\+05 in column "deviceId": .* --numbers-as-ids\.$/),
    ],
    ...[
      'deviceId,line\npress-1,1\n\ufeffdeviceId,line\npress-2,1\n',
      'deviceId,line\npress-1,1\nDevice ID,shift\npress-2,1\n',
      'a,deviceId,b\n1,press-1,1\nb,a,\n',
    ].map((text): [string, string] => [text, 'Line 3 repeats the column names: remove it.']),
  ])('refuses %j', async (text, sentence) => {
    expect((await refusalOf(csv('devices', text)))[0]).toEqual(sentence);
  });

  it('accepts an ID or a value that is the name of a column', async () => {
    expect(await notesOf(csv('devices', 'deviceId,a,press-0001\npress-0001,,\npress-0002,a,b\n'))).toEqual([
      'Note: 1 row without a value is not sent.',
    ]);
  });

  it('refuses the totals row of a table in a workbook', async () => {
    const rels = `${xml}<Relationships><Relationship Id="t" Type="x/table" Target="../tables/t.xml"/></Relationships>`;
    const table = `${xml}<table displayName="Fleet" ref="A1:B3" totalsRowCount="1"/>`;
    const rows = texts(1, ['name', 'device-id']) + texts(2, ['gw', 'press-0001']) + texts(3, ['Whole', '1']);
    const file = workbook(rows, { 'xl/_rels/one.xml.rels': rels, 'tables/t.xml': table });
    expect((await refusalOf(ran('credentials', file)))[0]).toBe(
      'Line 3 is the totals row of the table Fleet: remove it.',
    );
  });

  it('refuses a formula without a saved value, but accepts an empty text', async () => {
    const formula = (value: string, type = 'n') => `<c t="${type}"><f>A1</f>${value}</c>`;
    const made = (...cells: string[]) =>
      workbook(texts(1, ['deviceId', 'a']) + cells.map((each, at) => row(at + 2, cell('press-0001') + each)).join(''));
    expect((await refusalOf(ran('devices', made(formula('<v></v>'), formula(''), formula('', 'str')))))[0]).toBe(
      'Line 2 has a formula without a saved value in cell B2.',
    );
    expect(await notesOf(ran('devices', made(formula('<v></v>', 'str'), formula('<v>5</v>'))))).toEqual([
      'Note: 1 row without a value is not sent.',
    ]);
  });
});

describe('a value in doubt', () => {
  const styles = (code: number) =>
    `${xml}<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="${code}"/></cellXfs></styleSheet>`;
  const number = (value: string, style = 1) => `<c s="${style}"><v>${value}</v></c>`;

  const several = 'looks like several values, and is sent as one.';
  const totals = 'looks like a row of totals.';

  it.each([
    [14, number('46024'), '2026-01-02', 'a date'],
    [9, number('0.85'), '85%', 'a percentage'],
    [0, '<c t="b"><v>1</v></c>', 'TRUE', 'a boolean'],
    [0, '<c t="d"><v>2026-01-02T00:00:00.000Z</v></c>', '2026-01-02', 'a date'],
    [20, number('0.5'), '12:00:00', 'a time'],
  ])('is noted if a sheet changed a text to another type: format %i, %s', async (code, made, text, what) => {
    const rows =
      row(1, cell('templateId') + cell('name') + cell('tags')) +
      [2, 3].map((line) => row(line, cell(`template_00${line}`) + made)).join('');
    const doubt = `Cell B2, name: "${text}" is ${what} in the sheet, and may have been typed as another text (and 1 row more).`;
    expect(await notesOf(ran('templates', workbook(rows, { 'xl/styles.xml': styles(code) })))).toEqual([
      `Note: ${doubt}`,
    ]);
  });

  it('is not a date or boolean of a device, or an expiry date', async () => {
    const made = `${number('46024')}<c t="b"><v>1</v></c>${number('46024')}`;
    const rows = texts(1, ['deviceId', 'a', 'b', 'c']) + row(2, cell('press-0001') + made);
    expect(await notesOf(ran('devices', workbook(rows, { 'xl/styles.xml': styles(14) })))).toEqual([]);
    const expiring =
      texts(1, ['name', 'expires']) + row(2, cell('a') + number('46400')) + row(3, cell('b') + number('46401'));
    const file = workbook(expiring, { 'xl/styles.xml': styles(14) });
    expect(await notesOf(ran('credentials', file, ['--dry-run']))).toEqual([
      'Note: Line 2: --expires 2027-01-13 is 2027-01-13T00:00:00Z (and 1 row more).',
    ]);
  });

  it('is noted if it comes from a formula that has to be recalculated', async () => {
    const rows = texts(1, ['deviceId', 'a']) + row(2, `${cell('press-0001')}<c><f>1+1</f><v>0</v></c>`);
    const parts = xlsxParts(rows);
    const [end, whole] = ['</x:workbook>', String(parts['xl/workbook.xml'])];
    const book = (flag: string) =>
      folder.write(
        'book.xlsx',
        zipOf({ ...parts, 'xl/workbook.xml': whole.replace(end, `<x:calcPr ${flag}/>${end}`) }),
      );
    expect(await notesOf(ran('devices', book('fullCalcOnLoad="1"')))).toEqual([
      'Note: Cell B2, a: "0" comes from a formula, and the workbook has to be recalculated.',
    ]);
    expect(await notesOf(ran('devices', book('calcId="191029"'), ['--yes', '--resume']))).toEqual([]);
  });

  it.each([
    ['templates', 'templateId,tags\ntemplate_001,"day\nnight"\n', `Line 2, tags: "day↵night" ${several}`],
    ['templates', 'templateId,tags\ntemplate_001,"{day,night}"\n', `Line 2, tags: "{day,night}" ${several}`],
    ['devices', 'deviceId,a\npress-0001,1\nTotal,1\n', `Line 3, deviceId: "Total" ${totals}`],
    ['devices', 'deviceId,a\nSumme:,1\n', `Line 2, deviceId: "Summe:" ${totals}`],
    ['devices', 'deviceId,a\n合計,1\n', `Line 2, deviceId: "合計" ${totals}`],
    ['batches', 'name,cron,enabled,run-on-startup\nTotal,0 0 2 * * ?,no,no\n', `Line 2, name: "Total" ${totals}`],
  ] as const)('is noted in rows of %s: %j', async (name, text, doubt) => {
    for (const words of ['--dry-run', '--yes'])
      expect((await csv(name, text, [words])).said).toContain(`Note: ${doubt}`);
  });

  it.each(['\n', '\\n'])('is not a list that --list-separator splits at %j', async (separator) => {
    const text = 'templateId,tags\ntemplate_001,"day\nnight"\n';
    expect(await notesOf(csv('templates', text, ['--yes', '--list-separator', separator]))).toEqual([]);
    expect(someone.sent.at(-1)?.body).toBe('{"tags":["day","night"]}');
  });

  it.each(['day\nnight', 'late,day;night', '{day,night}'])(
    'is noted if --list-separator does not split it: %j',
    async (tags) => {
      const words = ['--dry-run', '--list-separator', ','];
      expect(await notesOf(csv('templates', `templateId,tags\ntemplate_001,"${tags}"\n`, words))).toEqual([
        `Note: Line 2, tags: "${tags.replace('\n', '↵')}" looks like several values that --list-separator does not separate.`,
      ]);
    },
  );

  it('is noted if it has a comma, unless it is a list', async () => {
    const one = (cell: string) => csv('templates', `templateId;tags\ntemplate_001;${cell}\n`, ['--dry-run']);
    expect(await notesOf(one('Hall 3, north'))).toEqual([expect.stringContaining(' tags: "Hall 3, north" is sent')]);
    for (const cell of ['"[""Hall 3, north""]"', 'day']) expect(await notesOf(one(cell))).toEqual([]);
  });

  it('is not a batch whose name ends like a word for totals', async () => {
    const rows = ['Stock count', 'Line total'].map((name) => `${name},0 0 2 * * ?,no,no\n`).join('');
    expect(await notesOf(csv('batches', `name,cron,enabled,run-on-startup\n${rows}`, ['--dry-run']))).toEqual([]);
  });

  it.each(['total-1', 'Totalizer 3', 'subtotal-line', 'press-total', '#12', '=5', '#A!'])(
    'is not an ID such as %s',
    async (id) => expect(await notesOf(csv('devices', `deviceId,a\n${id},1\n`, ['--dry-run']))).toEqual([]),
  );
});

describe('a number', () => {
  const id = (last: number) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;

  it('with a decimal comma in a threshold is noted once for all rows', async () => {
    const rows = [1, 2, 3].map((last) => `${id(last)};>80,${last}\n`).join('');
    expect(await notesOf(csv('policies', `alertPolicyId;alert-level\n${rows}`, ['--dry-run']))).toEqual([
      expect.stringMatching(/^Note: Line 2: --alert-level ">80,1" .* ">801" \(and 2 rows more\)\.$/),
    ]);
  });

  it('with a format in a sheet is sent as stored, or refused by its cell', async () => {
    expect((await refusalOf(ran('policies', own('delay-formats.xlsx')))).slice(0, 5)).toEqual([
      'Note: Cell B2, delay: "1,200" is sent as 1200.',
      expect.stringMatching(/^Line 3: cell B3 is a time: /),
      expect.stringMatching(/^Line 5: delay takes .*, not "00:05:00"\.$/),
      'Line 6: cell B6 is the number 90, shown as "90.0 °C": enter it again as a whole number without a format.',
      expect.stringContaining('error: 3 rows of 5 in '),
    ]);
  });

  it('with more digits than a spreadsheet keeps is noted, also in an ID', async () => {
    const text = 'deviceId,a\n12345678901234500000,1\npress-1,1234567890123450000\n1234567890123450,1\n';
    expect(await notesOf(csv('devices', text, ['--dry-run']))).toEqual([
      expect.stringMatching(/^Note: Line 2, deviceId: "12345678901234500000" .* lost digits .* \(and 1 row more\)\.$/),
    ]);
  });

  it('is refused in one line if several rows have the same mistake', async () => {
    expect((await refusalOf(csv('policies', `alertPolicyId,delay\n${id(1)},"1,200"\n${id(2)},"90,5"\n`)))[0]).toMatch(
      /^Line 2 \(and 1 row more\): delay takes .*, not "1,200"\.$/,
    );
  });
});

describe('columns', () => {
  it('with the same meaning are refused, but keys of a device differ by case', async () => {
    expect((await refusalOf(csv('devices', 'deviceId,Device ID,line\npress-0001,x,3\n')))[0]).toMatch(
      /^error: rows\.csv .*: "deviceId" is column 1, and "Device ID" is column 2\.$/,
    );
    expect(await notesOf(csv('devices', 'deviceId,line,Line\npress-0001,1,2\n'))).toEqual([
      'Note: the column "Line" differs from "line" only in case.',
    ]);
    expect(someone.sent.at(-1)?.body).toBe('{"line":"1","Line":"2"}');
  });

  it.each([
    [['Size (W, H)'], '{"line":"3","x":"4"}'],
    [['"Size (W, H)",x'], '{"line":"3"}'],
    [['Size (W, H)', 'line'], '{"x":"4"}'],
    [['line,x'], '{"Size (W, H)":"1, 2"}'],
  ])('are left out by their names: %j', async (values, body) => {
    const text = 'deviceId,"Size (W, H)",line,x\npress-0001,"1, 2",3,4\n';
    await csv('devices', text, ['--yes', ...values.flatMap((value) => ['--ignore-columns', value])]);
    expect(someone.sent.at(-1)?.body).toBe(body);
  });

  it('are left out of the keys of a JSON row in the same way', async () => {
    const file = folder.write('rows.ndjson', '{"device_id":"press-0001","Custom Info":{"A,B":"1","A":"2","C":"3"}}\n');
    await ran('devices', file, ['--yes', '--ignore-columns', 'A,B', '--ignore-columns', 'C']);
    expect(someone.sent.at(-1)?.body).toBe('{"A":"2"}');
  });

  it.each([
    ['threshold', 'alert-level'],
    ['alert levle', 'alert-level'],
    ['reset', 'alert-reset-level'],
  ])('with an unknown name get the suggestion of an option: %s', async (name, meant) => {
    expect((await refusalOf(csv('policies', `alertPolicyId,${name}\nx,1\n`)))[0]).toBe(
      `error: rows.csv has a column "${name}", which iiot policies update does not have (did you mean "${meant}"?).`,
    );
  });

  it('are left out by the proposed options, even with commas or quotes', async () => {
    const text = 'templateId,name,"Hall, zone","Width ""B"" x",Owner\ntemplate_001,A,1,2,3\n';
    const hint = (await refusalOf(csv('templates', text))).at(-1) ?? '';
    expect(hint.split(': ').at(-1)).toBe(
      `--ignore-columns=Owner --ignore-columns='Hall, zone' --ignore-columns='Width "B" x'`,
    );
    const values = ['Owner', 'Hall, zone', 'Width "B" x'].map((name) => `--ignore-columns=${name}`);
    expect(await csv('templates', text, ['--dry-run', ...values])).toMatchObject({ exit: 0 });
  });

  it('do not make a row if they are left out', async () => {
    const text = 'deviceId,line,Legend\npress-0001,1,x\n,,y\n';
    expect(await notesOf(csv('devices', text, ['--yes', '--ignore-columns', 'Legend']))).toEqual([
      'Note: 1 row without a value is not sent.',
    ]);
  });

  it.each(['Remark', 'nope', 'customInfo.remark'])(
    'of --ignore-columns that no JSON row has are refused: %s',
    async (name) => {
      const file = folder.write('rows.ndjson', '{"deviceId":"press-0001","customInfo":{"line":"1","remark":"x"}}\n');
      expect((await refusalOf(ran('devices', file, ['--yes', '--ignore-columns', name])))[0]).toBe(
        `error: rows.ndjson has no column "${name}" for --ignore-columns.`,
      );
    },
  );

  it('of --ignore-columns that do not exist are refused with those that do', async () => {
    expect(await refusalOf(csv('devices', 'deviceId,"Size (W, H)"\np,1\n', ['--ignore-columns', 'Size (W']))).toEqual([
      'error: rows.csv has no column "Size (W" for --ignore-columns.',
      'hint: Columns: "deviceId", "Size (W, H)"',
    ]);
  });
});

describe('a title above the table', () => {
  it('gets a hint that the header may be below if the columns have other names', async () => {
    expect((await refusalOf(csv('devices', 'Plant fleet\n\nデバイスID;設置場所\npress-0001;3\n'))).at(-1)).toBe(
      'hint: The column names may be on line 3: add --header-row=3',
    );
    const file = workbook(
      texts(1, ['Plant fleet']) + texts(4, ['デバイスID', '設置場所']) + texts(5, ['press-0001', '3']),
    );
    for (const name of ['devices', 'policies'] as const)
      expect((await refusalOf(ran(name, file))).at(-1)).toBe(
        'hint: The column names may be in row 4: add --header-row=4',
      );
    expect((await refusalOf(csv('devices', 'Serial\npress-0001\n'))).at(-1)).toMatch(/^hint: Rename .*: "Serial"$/);
  });

  it('is skipped in a sheet by --header-row', async () => {
    const file = workbook(texts(1, ['Plant fleet']) + texts(3, ['deviceId', 'line']) + texts(4, ['press-0001', '3']));
    expect((await refusalOf(ran('policies', file, ['--header-row', '2', '--yes'])))[0]).toMatch(
      /^error: Row 2 of book\.xlsx is empty/,
    );
    expect(await ran('devices', file, ['--header-row', '3', '--yes'])).toMatchObject({ exit: 0 });
  });

  it.each([
    ['CRLF and quotes that do not end', 'Report of "6"\r\nthe "plant\r\ndeviceId,line\r\npress-0001,3\r\n', '3'],
    ['a line that names the separator', 'sep=;\nReport\ndeviceId;line\npress-0001;3\n', '3'],
    ['CR alone', 'Report\rdeviceId,line\rpress-0001,3\r', '2'],
    ['a longer title than is read at once', `${'x'.repeat(20_000)}\n\ndeviceId,line\npress-0001,3\n`, '3'],
    ['no title', 'deviceId,line\npress-0001,3\n', '1'],
  ])('is skipped by --header-row with %s', async (_, title, line) => {
    expect(await csv('devices', title, ['--header-row', line, '--yes'])).toMatchObject({ exit: 0 });
    expect(someone.sent.at(-1)?.body).toBe('{"line":"3"}');
  });

  it('counts in the line numbers of errors', async () => {
    const { said } = await csv('devices', 'Fleet\n\ndeviceId,line\n,3\n', ['--header-row', '3']);
    expect(said[0]).toBe('Line 4 has no deviceId.');
  });

  it.each([
    ...['2', '9'].map((line) => [
      line,
      `error: Line ${line} of rows.csv is empty; --header-row names the one with the column names.`,
    ]),
    ['0', 'error: --header-row takes a whole number from 1 to 1048576.'],
  ])('is refused with --header-row %s', async (line = '', sentence) => {
    expect((await refusalOf(csv('devices', 'Fleet\n\ndeviceId,line\np,3\n', ['--header-row', line])))[0]).toBe(
      sentence,
    );
  });

  it('is refused with --header-row for JSON', async () => {
    const file = folder.write('rows.json', '[]');
    expect((await refusalOf(ran('devices', file, ['--header-row', '2'])))[0]).toBe(
      'error: --header-row is for CSV and workbooks; the format is json.',
    );
  });
});

describe('an ID', () => {
  it.each(['press\u200b-0001', 'press\u00a0-2', 'press\u00ad-3'])(
    'with invisible characters is noted: %j',
    async (id) => {
      const notes = await notesOf(csv('devices', `deviceId,a\n${id},1\n`, ['--dry-run']));
      expect(notes).toEqual([
        expect.stringMatching(/^Note: Line 2, deviceId: "press.*" has invisible characters, and is sent with them\.$/),
      ]);
    },
  );
});

describe('a sheet', () => {
  it('with a line break in a column name gets a note', async () => {
    const file = workbook(texts(1, ['deviceId', 'line\n(number)']) + texts(2, ['press-0001', '3']));
    expect(await notesOf(ran('devices', file))).toEqual(['Note: The column name "line\\n(number)" has a line break.']);
  });

  it('with merged cells gets a note only for the rows that are read', async () => {
    const rows =
      texts(1, ['Plant fleet']) + texts(3, ['deviceId', 'line', 'memo']) + texts(4, ['press-0001', '3', 'x']);
    const merged = (...areas: string[]) =>
      `<mergeCells>${areas.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
    const words = ['--header-row', '3', '--ignore-columns', 'memo', '--yes', '--resume'];
    const of = (after: string) => notesOf(ran('devices', workbook(rows, { after }), words));
    expect(await of(merged('A1:C1', 'C4:C5', 'A7:B8', 'F4:G4'))).toEqual([]);
    expect(await of(merged('A1:C1', 'B4:B5'))).toEqual([expect.stringContaining(' merged cells (B4): ')]);
  });
});

describe('a file', () => {
  it('without rows gets a note', async () => {
    expect(await notesOf(csv('devices', 'deviceId,line\n'))).toEqual(['Note: rows.csv has no rows.']);
    expect(await notesOf(ran('devices', folder.write('rows.json', '[]')))).toEqual(['Note: rows.json has no rows.']);
  });

  it('may have its separator named by a word', async () => {
    for (const [name, mark] of [
      ['comma', ','],
      ['semicolon', ';'],
      ['pipe', '|'],
      ['Tab', '\t'],
    ] as const) {
      const text = ['deviceId', 'a', '\npress-0001', name].join(mark).replace(`${mark}\n`, '\n');
      expect((await csv('devices', text, ['--yes', '--delimiter', name, '--resume'])).exit).toBe(0);
      expect(someone.sent.at(-1)?.body).toBe(JSON.stringify({ a: name }));
    }
  });
});
