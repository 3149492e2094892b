import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { OutputShape, Page } from '../../src/output/result.ts';
import { sinkOf } from '../../src/output/sink.ts';
import { writeResult } from '../../src/output/write.ts';
import { ada, bob, memorySink, pagesOf, seen, terminal, users } from './memory.ts';

const done = {
  kind: 'done',
  value: { orgId: 'o-1', deleted: true },
  sentence: 'Deleted organization o-1',
  id: 'orgId',
} as const;

describe('a list', () => {
  it('is one JSON array of all pages, the same at a terminal', async () => {
    const item = (id: string, name: string, role: string) =>
      `  {\n    "userId": "${id}",\n    "name": "${name}",\n    "orgRole": "${role}"\n  }`;
    const expected = `[\n${item('u-1', 'Ada Lovelace', 'admin')},\n${item('u-2', 'Bob', 'viewer')}\n]\n`;
    const list = () => users({ items: [] }, { items: [ada] }, { items: [bob] });
    expect((await seen(list(), { format: 'json' })).stdout).toBe(expected);
    expect((await seen(list(), { format: 'json' }, terminal())).stdout).toBe(expected);
  });

  it('is an empty JSON array without a notice if it is empty', async () => {
    expect(await seen(users(), { format: 'json' })).toEqual({ stdout: '[]\n', notices: [] });
  });

  it('is one line per item as NDJSON, with unknown fields and long numbers', async () => {
    const item = { ...ada, seen: 9007199254740993n, site: { hall: null } };
    const { stdout } = await seen(users({ items: [item, bob] }), { format: 'ndjson' });
    expect(stdout).toBe(
      '{"userId":"u-1","name":"Ada Lovelace","orgRole":"admin","seen":9007199254740993,"site":{"hall":null}}\n' +
        '{"userId":"u-2","name":"Bob","orgRole":"viewer"}\n',
    );
  });

  it('is one line per ID with -o id', async () => {
    const items = [ada, bob, { name: 'without' }, { userId: 'a\nb' }, { userId: 9007199254740993n }];
    expect((await seen(users({ items }), { format: 'id' })).stdout).toBe('u-1\nu-2\na\\nb\n9007199254740993\n');
  });

  it('is written page by page', async () => {
    const stdout = memorySink();
    await seen(users({ items: [ada] }, { items: [bob] }), { format: 'ndjson' }, stdout);
    expect(stdout.chunks.filter((chunk) => chunk !== '').length).toBe(2);
  });
});

describe('a single record', () => {
  const value = JSON.parse('{"id":"b-1","__proto__":{"x":1},"tags":["a"],"note":null}');
  const record = { kind: 'record', value, id: 'id' } as const;

  it.each<[OutputShape['format'], string]>([
    ['json', '{\n  "id": "b-1",\n  "__proto__": {\n    "x": 1\n  },\n  "tags": [\n    "a"\n  ],\n  "note": null\n}\n'],
    ['ndjson', '{"id":"b-1","__proto__":{"x":1},"tags":["a"],"note":null}\n'],
    ['yaml', 'id: b-1\n__proto__:\n  x: 1\ntags:\n  - a\nnote: null\n'],
    ['csv', 'id,__proto__,tags,note\r\nb-1,"{""x"":1}","[""a""]",\r\n'],
    ['id', 'b-1\n'],
    ['table', 'id\tb-1\n__proto__\t{"x":1}\ntags\ta\nnote\t\n'],
  ])('is printed with -o %s', async (format, expected) => {
    expect(await seen(record, { format })).toEqual({ stdout: expected, notices: [] });
  });

  it('has a notice with -o id if the platform returned no ID', async () => {
    const result = { kind: 'record', value: { name: 'x' }, id: 'id' } as const;
    expect(await seen(result, { format: 'id' })).toEqual({ stdout: '', notices: ['The platform returned no ID'] });
  });

  it('is shown as a list if it is an array', async () => {
    const result = { kind: 'record', value: [ada, bob] } as const;
    expect((await seen(result, { format: 'table' })).stdout).toBe('u-1\tAda Lovelace\tadmin\nu-2\tBob\tviewer\n');
    expect((await seen(result, { format: 'ndjson' })).stdout.split('\n').length).toBe(3);
  });

  it.each([
    ['a\nb', 'a\\nb\n', '"a\\nb"\n'],
    [7n, '7\n', '7\n'],
    [null, '', 'null\n'],
  ])('is shown unchanged if it is %s', async (value, table, json) => {
    expect((await seen({ kind: 'record', value }, { format: 'json' })).stdout).toBe(json);
    const shown = (await seen({ kind: 'record', value }, { format: 'table' })).stdout;
    expect(shown).toBe(table);
  });
});

describe('the result of a change', () => {
  it('is a sentence on stderr without -o, and nothing with --quiet', async () => {
    const sentence = { stdout: '', notices: ['Deleted organization o-1'] };
    expect(await seen(done, { format: 'table' }, terminal())).toEqual(sentence);
    expect(await seen(done, { format: 'table' })).toEqual(sentence);
    expect(await seen(done, { format: 'table', quiet: true })).toEqual({ stdout: '', notices: [] });
  });
});

it('a result that is plain text is written unchanged in any format', async () => {
  const text = 'token\u001b without a line end';
  expect((await seen({ kind: 'text', text }, { format: 'json', quiet: true }, terminal())).stdout).toBe(text);
});

describe('a large list', () => {
  async function* counted(pageCount: number, held: { asked: number }) {
    for (let page = 0; page < pageCount; page += 1) {
      held.asked += 1;
      yield { items: Array.from({ length: 1000 }, (_, at) => ({ userId: `u-${page * 1000 + at}`, name: 'x' })) };
    }
  }

  it.each<OutputShape & { live?: true }>([
    ...(['ndjson', 'json', 'yaml', 'id', 'table'] as const).map((format) => ({ format })),
    { format: 'csv', columns: ['userId', 'name'] },
    { format: 'csv', live: true },
  ])('is read at most two pages ahead of a slow reader: %j', async ({ live, ...shape }) => {
    const held = { asked: 0 };
    let written = 0;
    let most = 0;
    const stdout = {
      ...memorySink({ isTerminal: shape.format === 'table' }),
      async write(text: string) {
        if (text === '') return;
        await new Promise((resolve) => setTimeout(resolve, 1));
        most = Math.max(most, held.asked - written);
        written += 1;
      },
    };
    await seen({ ...users(), pages: counted(20, held), ...(live && { live }) }, shape, stdout);
    expect(held.asked).toBe(20);
    expect(most).toBe(2);
  });

  it('is read no further after its reader has closed the pipe', async () => {
    const reader = spawn('head', ['-1'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const line = once(reader.stdout, 'data');
    const held = { asked: 0 };
    const sink = sinkOf(reader.stdin, {});
    const list = { ...users(), pages: counted(1000, held) };
    await writeResult(list, { format: 'ndjson' }, { stdout: sink, notice: async () => {}, now: () => 0 });
    expect(String((await line)[0])).toBe('{"userId":"u-0","name":"x"}\n');
    expect(sink.closed).toBe(true);
    expect(held.asked).toBeLessThan(100);
  });

  it('leaves the pages before an error as an unfinished document', async () => {
    async function* faulty(): AsyncGenerator<Page> {
      yield { items: [{ userId: 'u-1' }] };
      throw new Error('the platform is gone');
    }
    const stdout = memorySink();
    const act = seen({ ...users(), pages: faulty() }, { format: 'json' }, stdout);
    await expect(act).rejects.toThrow('the platform is gone');
    expect(stdout.text()).toBe('[\n  {\n    "userId": "u-1"\n  }');
  });

  it('may have 150,000 items on one page', async () => {
    const items = Array.from({ length: 150_000 }, () => ({ a: 1 }));
    const stdout = terminal();
    await seen({ ...users(), columns: [], pages: pagesOf({ items }) }, { format: 'table' }, stdout);
    expect(stdout.text().split('\n').length).toBe(150_002);
  });
});
