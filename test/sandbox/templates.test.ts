import { describe, expect, it } from 'vitest';
import { callersForEach, root } from './browser.ts';

const templates = `/api/v1/orgs/${root}/notifications/templates`;
type Page = {
  totalCount: number;
  items: { templateId: string; name: string; channelTypes: string[]; tags: string[] }[];
};

const content = '{{deviceName}} reports {{value}} {{unit}} at {{time}}.';

const at = callersForEach();

describe('GET /api/v1/orgs/{orgId}/notifications/templates', () => {
  async function list(query: string): Promise<Page> {
    return (await (await at.viewer.get(templates + query)).json()) as Page;
  }

  it('lists the first twenty of 45 templates', async () => {
    const page = await list('');
    expect([page.totalCount, page.items.length]).toEqual([45, 20]);
    expect(page.items[0]).toEqual({
      templateId: 'template_001',
      orgId: root,
      name: 'Pressure low',
      subject: 'Pressure low: {{deviceName}}',
      content,
      channelTypes: ['teams'],
      tags: ['day'],
    });
  });

  it('lists templates with 45 different names', async () => {
    const { items } = await list('?maxResultCount=100');
    const names = items.map(({ name }) => name);
    expect([new Set(names).size, names.filter((name) => !/^[A-Z][a-z]+( [a-z]+)*$/.test(name))]).toEqual([45, []]);
    expect(names.slice(13, 17)).toEqual(['Air leak', 'Power failure', 'Pressure low reminder', 'Door open reminder']);
    const twice = items.filter(({ channelTypes }) => new Set(channelTypes).size < channelTypes.length);
    expect(twice).toEqual([]);
  });

  it('supports skipCount and maxResultCount', async () => {
    const ids = ({ items }: Page) => items.map(({ templateId }) => templateId);
    expect(ids(await list('?skipCount=43&maxResultCount=100'))).toEqual(['template_044', 'template_045']);
    expect(ids(await list('?skipCount=1&maxResultCount=2'))).toEqual(['template_002', 'template_003']);
    expect(ids(await list('?skipCount=45'))).toEqual([]);
  });

  it('filters by name, channel type and tags', async () => {
    const all = (await list('?maxResultCount=100')).items;
    const named = all.filter(({ name }) => name.startsWith('Door open'));
    expect((await list('?maxResultCount=100&name=door')).items).toEqual(named);
    const typed = all.filter(({ channelTypes }) => channelTypes.includes('email'));
    expect((await list('?maxResultCount=100&channelType=email')).items).toEqual(typed);
    const tagged = all.filter(({ tags }) => tags.includes('night') && tags.includes('urgent'));
    expect((await list('?maxResultCount=100&tags=night&tags=urgent')).items).toEqual(tagged);
    for (const { length } of [named, typed, tagged]) expect(length > 0 && length < 45).toBe(true);
    expect((await list('?tags=night,urgent')).totalCount).toBe(0);
  });
});

describe('PATCH /api/v1/orgs/{orgId}/notifications/templates/{templateId}', () => {
  const path = `${templates}/template_002`;

  it('changes only the given fields, and replaces whole lists', async () => {
    const answer = await at.admin.send('PATCH', path, { subject: 'New', channelTypes: ['webhook'], tags: [] });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        templateId: 'template_002',
        orgId: root,
        name: 'Door open',
        subject: 'New',
        content,
        channelTypes: ['webhook'],
        tags: [],
      },
    ]);
  });

  it.each([
    [{ name: '😀'.repeat(200) }],
    [{ content: 'Hot: {{value}} and {{ device.name }} in { braces }' }],
    [{ content: '{{größe}} {{größe²}} {{ชื่อเครื่อง}} {{データ・値}} {{〇番}} ｛｛value｝｝' }],
    [{ content: '{{ガス圧}}'.normalize('NFD') }],
    [{ content: '{{a b}} {{}} {{#if x}} {{a{{b}}}} {"c":{"d":1}}' }],
    [{ content: '{{ "{{" }}value{{ "}}" }} {{`{{ $labels.instance }}`}} {{/* {{ value }} */}}' }],
    [{ channelTypes: ['email', 'teams', 'linemessage', 'webhook'] }],
    [{}],
  ])('answers 200 to %.40j', async (body) => {
    expect((await at.admin.send('PATCH', path, body)).status).toBe(200);
  });
});
