/** Files as plants in Japan, Taiwan, Thailand and Korea have them, from the terminal to the platform. */
import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import type { Person } from '../support/world.ts';

const { write } = folderForEach();
const newPerson = personsForEach();
let someone: Person;
beforeEach(() => {
  someone = newPerson();
});

const imported = async (file: string, ...words: string[]) => {
  const journal = ['--journal', write('none', '').replace(/none$/, 'journal')];
  return someone.iiot(['devices', 'custom-info', 'import', file, ...words, ...journal]);
};
const plant = (name: string) => `test/files/plants/${name}`;
const infoOf = (deviceId: string) => Object.fromEntries(someone.platform.world.devices.get(deviceId)?.customInfo ?? []);
const puts = () => someone.requests.filter((request) => request.startsWith('PUT'));

/** File, encoding, what people call it, and what the platform has then. */
const files = [
  ['jp-cp932.csv', 'shift_jis', 'cp932', { 設置場所: '第3工場 プレス棟', メモ: '①番ライン～髙橋様' }],
  ['jp-jis.csv', 'iso-2022-jp', 'jis', { 設置場所: '第3工場 プレス棟', メモ: '1番ライン〜高橋様' }],
  ['sjis-ctrl-z.csv', 'shift_jis', 'sjis', { 設置場所: '第3工場' }],
  ['ko-cp949.csv', 'windows-949', 'cp949', { 설치장소: '커피샾 앞 펌프', 담당자: '김설믜' }],
  ['ko-euckr.csv', 'windows-949', 'euc-kr', { 설치장소: '제3공장 프레스동', 담당자: '김민수' }],
  ['tw-big5.csv', 'big5', 'cp950', { 安裝位置: '第三廠沖壓區', 負責人: '陳怡君' }],
  ['th-874.csv', 'windows-874', 'tis-620', { สถานที่: 'โรงงาน 3 น้ำมัน', ผู้รับผิดชอบ: 'สมชาย ใจดี' }],
] as const;

describe('a file from a plant in Asia', () => {
  it.each(files)('%s gets at most four proposed encodings, the right one among them', async (name, encoding) => {
    const { exit, stderr } = await imported(plant(name), '--yes');
    const [heading] = Object.keys(files.find((each) => each[0] === name)?.[3] ?? {});
    const [error = '', hint = ''] = stderr.split('\n');
    expect(exit).toBe(2);
    expect(error).toMatch(/(?:is not UTF-8|U\+001B).*: see line 1, column \d+/);
    expect(hint).toContain(`--encoding ${encoding} (${heading}`);
    expect(hint.split('--encoding').length).toBeLessThanOrEqual(5);
    expect(hint).not.toMatch(/windows-1252|cp850/);
    expect(puts()).toEqual([]);
  });

  it.each(files)(
    '%s is imported as %s if that is given as %s, and a note shows its text',
    async (name, encoding, called, info) => {
      const { exit, stderr } = await imported(plant(name), '--encoding', called, '--yes');
      expect([exit, infoOf('press-0001')]).toEqual([0, expect.objectContaining(info)]);
      expect(stderr.split('\n')[0]).toMatch(`Read as ${encoding}: ${Object.keys(info)[0]}`);
    },
  );

  it('in UTF-8 is read in another encoding only with --yes', async () => {
    const refused = await imported(plant('u8.csv'), '--encoding', 'shift_jis', '--dry-run');
    expect([refused.exit, refused.stderr]).toEqual([
      2,
      `error: ${plant('u8.csv')} is UTF-8; leave out --encoding.\nhint: To read it as shift_jis anyway, add --yes\n`,
    ]);
    expect((await imported(plant('u8.csv'), '--encoding', 'utf-8-sig', '--yes')).exit).toBe(0);
    expect(infoOf('press-0001')).toMatchObject({ Halle: 'Süd Prüfer' });
    const kana = write(
      'kana.csv',
      Buffer.from([...Buffer.from('deviceId,a\npress-0002,'), 0xce, 0xdf, 0xdd, 0xcc, 0xdf, 0x0a]),
    );
    const believed = await imported(kana, '--encoding', 'cp932', '--yes');
    expect([believed.exit, infoOf('press-0002')]).toEqual([0, expect.objectContaining({ a: 'ﾎﾟﾝﾌﾟ' })]);
  });

  it.each([
    ['ansi', /^hint: Encodings: utf-8, utf-16le, .*shift_jis.*windows-949.*big5.*windows-874.*windows-1252/],
    ['cp9332', /^hint: Encodings: /],
    ['shiftjs', /^hint: Did you mean shift_jis\?$/],
  ])('is refused in the unknown encoding %s, and the nearest names are proposed', async (called, hint) => {
    const { exit, stderr } = await imported(plant('u8.csv'), '--encoding', called, '--yes');
    const [error, next = ''] = stderr.split('\n');
    expect([exit, error]).toEqual([2, `error: --encoding ${called} is not an encoding that iiot knows.`]);
    expect(next).toMatch(hint);
  });
});

describe('garbled text', () => {
  it('is sent unchanged, with a note that shows the probable text', async () => {
    const file = write('rows.csv', 'deviceId,hall,險ｭ鄂ｮ\npress-0001,StraÃŸe 3,b\npress-0002,Straße,c\n');
    const { exit, stderr } = await imported(file, '--yes');
    expect([exit, stderr.split('\n').slice(0, 2)]).toEqual([
      0,
      [
        'The header: "險ｭ鄂ｮ" looks garbled; it was probably "設置".',
        'Line 2: "StraÃŸe 3" looks garbled; it was probably "Straße 3".',
      ],
    ]);
    expect(infoOf('press-0001')).toMatchObject({ hall: 'StraÃŸe 3' });
  });

  it('gets the same note in NDJSON rows of iiot templates update', async () => {
    const rows = write(
      'rows.ndjson',
      `${JSON.stringify({ templateId: 'template_001', name: 'MÃ¼ller', tags: ['85 Â°C'] })}\n`,
    );
    const { stderr } = await someone.iiot(['templates', 'update', '--rows', rows, '--yes']);
    expect(stderr).toMatch(/^Line 1: "MÃ¼ller".* "Müller"\.\nLine 1: "85 Â°C".* "85 °C"\.\n/);
  });

  it('is not shown in a note if it may be a secret', async () => {
    const config = { url: 'MÃ¼ller', botToken: 'gehÃ¼m' };
    const rows = write('rows.ndjson', `${JSON.stringify({ channelId: 'channel_teams', config })}\n`);
    const cells = write('rows.csv', `channelId,config\nchannel_teams,"{""botToken"":""gehÃ¼m""}"\n`);
    for (const file of [rows, cells]) {
      const { exit, stderr } = await someone.iiot(['channels', 'update', '--rows', file, '--yes', '--dry-run']);
      expect([exit, stderr.includes('was probably "Müller"')]).toEqual([0, file === rows]);
      expect(stderr).not.toMatch(/geh/);
    }
  });

  it('is shown as it was before Excel in Japan saved the file of failed rows', async () => {
    const { exit, stderr } = await imported(plant('failed-after-excel.csv'), '--yes');
    expect([exit, puts()]).toEqual([2, []]);
    expect(stderr).toMatch(/U\+0080.* line 1, column 17\.\nhint: Retype the text there; it was probably "設置場所"\n$/);
  });

  it('with control characters is refused by its cell in a workbook', async () => {
    const words = ['templates', 'update', '--rows', plant('mojibake-from-own-csv.xlsx'), '--yes'];
    const { exit, stderr } = await someone.iiot(words);
    expect([exit, puts()]).toEqual([2, []]);
    expect(stderr).toMatch(/^Line \d+: cell [A-Z]+\d+ has the character U\+009C.*: enter it again\./);
  });

  it('is refused if an escape in JSON stands for it', async () => {
    const rows = write('rows.ndjson', '{"deviceId":"press-0001","customInfo":{"a\\u001b":"b"}}\n');
    const body = write('body.json', '{"a":"\\ufffd"}');
    const set = ['devices', 'custom-info', 'set', 'press-0001', '--body-file', body];
    const first = { exit: 2, stderr: expect.stringMatching(/^Line 1 .*U\+001B/) };
    expect(await imported(rows, '--yes')).toMatchObject(first);
    const second = { exit: 2, stderr: expect.stringMatching(/^error: --body-file .*U\+FFFD/) };
    expect(await someone.iiot(set)).toMatchObject(second);
    expect(puts()).toEqual([]);
  });

  it('with private-use characters is sent, with one note for all rows', async () => {
    const file = write('rows.csv', 'deviceId,name\npress-0001,辻\ue000\npress-0002,辻\ue001\n');
    const { exit, stderr } = await imported(file, '--yes');
    expect([exit, stderr.split('\n')[0]]).toEqual([
      0,
      'Note: Line 2, name: "辻\\u{e000}" has the private-use character U+E000 (外字), which other systems may not display (and 1 row more).',
    ]);
  });
});

describe('a text file for an option without --encoding', () => {
  it('is shown as it may be read if it is not UTF-8', async () => {
    const file = write('content.txt', Buffer.from([0x8d, 0x48, 0x8f, 0xea, 0x0a]));
    const { exit, stderr } = await someone.iiot(['templates', 'update', 'template_001', '--content-file', file]);
    expect([exit, stderr.split('\n').slice(0, 2)]).toEqual([
      2,
      [
        `error: --content-file: ${file} is not UTF-8: see line 1, column 1.`,
        expect.stringMatching(/^hint: Save it as UTF-8\. It may be shift_jis \(工場\), /),
      ],
    ]);
  });

  it('is refused for a control character, unless it is a saved list', async () => {
    const file = write('content.txt', 'a\nb\u0085\n');
    const { exit, stderr } = await someone.iiot(['templates', 'update', 'template_001', '--content-file', file]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/U\+0085.* line 2, column 2\.\n/)]);
    const saved = write('users.json', '[{"userId":"u","name":"\u0085","orgRole":"admin"}]');
    expect((await someone.iiot(['orgs', 'users', 'diff', saved])).stderr).not.toContain('U+0085');
  });

  it('is refused as a ZIP archive if it is a workbook', async () => {
    const words = ['channels', 'update', 'channel_email', '--config-file', 'test/files/fleet.xlsx'];
    expect((await someone.iiot(words)).stderr).toMatch(/ a ZIP archive,.*\nhint: Save it as text in UTF-8\n$/);
  });
});
