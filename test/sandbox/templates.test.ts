import { describe, expect, it } from 'vitest';
import { callersForEach, complaint, refusal, root } from './browser.ts';

const templates = `/api/v1/orgs/${root}/notifications/templates`;
type Page = {
  totalCount: number;
  items: { templateId: string; name: string; channelTypes: string[]; tags: string[] }[];
};

const at = callersForEach();

describe('GET /api/v1/orgs/{orgId}/notifications/templates', () => {
  async function list(query: string): Promise<Page> {
    return (await (await at.viewer.get(templates + query)).json()) as Page;
  }

  it('answers the first twenty of 45', async () => {
    const page = await list('');
    expect([page.totalCount, page.items.length]).toEqual([45, 20]);
    expect(page.items[0]).toEqual({
      templateId: 'template_001',
      orgId: root,
      name: 'Pressure low',
      subject: 'Pressure low: {{deviceName}}',
      content: '{{deviceName}} reports {{value}} {{unit}} at {{time}}.',
      channelTypes: ['teams'],
      tags: ['day'],
    });
  });

  it('has a name of its own for each of a plant', async () => {
    const { items } = await list('?maxResultCount=100');
    const names = items.map(({ name }) => name);
    expect([new Set(names).size, names.filter((name) => !/^[A-Z][a-z]+( [a-z]+)*$/.test(name))]).toEqual([45, []]);
    expect(names.slice(13, 17)).toEqual(['Air leak', 'Power failure', 'Pressure low reminder', 'Door open reminder']);
    const twice = items.filter(({ channelTypes }) => new Set(channelTypes).size < channelTypes.length);
    expect(twice).toEqual([]);
  });

  it('skips and takes', async () => {
    const ids = ({ items }: Page) => items.map(({ templateId }) => templateId);
    expect(ids(await list('?skipCount=43&maxResultCount=100'))).toEqual(['template_044', 'template_045']);
    expect(ids(await list('?skipCount=1&maxResultCount=2'))).toEqual(['template_002', 'template_003']);
    expect(ids(await list('?skipCount=45'))).toEqual([]);
  });

  it('filters by name, channel type and tags, all of them together', async () => {
    const all = (await list('?maxResultCount=100')).items;
    const named = all.filter(({ name }) => name.startsWith('Door open'));
    expect((await list('?maxResultCount=100&name=door')).items).toEqual(named);
    const typed = all.filter(({ channelTypes }) => channelTypes.includes('email'));
    expect((await list('?maxResultCount=100&channelType=email')).items).toEqual(typed);
    const tagged = all.filter(({ tags }) => tags.includes('night') && tags.includes('urgent'));
    expect((await list('?maxResultCount=100&tags=night&tags=urgent')).items).toEqual(tagged);
    expect([named.length, typed.length, tagged.length].map((length) => length > 0 && length < 45)).toEqual([
      true,
      true,
      true,
    ]);
    expect((await list('?tags=night,urgent')).totalCount).toBe(0);
  });

  it.each([
    ['maxResultCount=0', ['maxResultCount']],
    ['maxResultCount=101', ['maxResultCount']],
    ['skipCount=-1', ['skipCount']],
    ['skipCount=x', ['skipCount']],
    ['channelType=sms', ['channelType']],
  ])('answers 400 to ?%s', async (query, members) => {
    expect(await complaint(await at.admin.get(`${templates}?${query}`))).toEqual([400, members]);
  });

  it('answers 404 to an organization that is not there', async () => {
    expect((await at.admin.get('/api/v1/orgs/nowhere/notifications/templates')).status).toBe(404);
  });
});

describe('PATCH /api/v1/orgs/{orgId}/notifications/templates/{templateId}', () => {
  const path = `${templates}/template_002`;

  it('changes the given fields alone, and replaces lists as a whole', async () => {
    const answer = await at.admin.send('PATCH', path, { subject: 'New', channelTypes: ['webhook'], tags: [] });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        templateId: 'template_002',
        orgId: root,
        name: 'Door open',
        subject: 'New',
        content: '{{deviceName}} reports {{value}} {{unit}} at {{time}}.',
        channelTypes: ['webhook'],
        tags: [],
      },
    ]);
  });

  it.each([
    [{ name: 'x'.repeat(200) }],
    [{ name: '😀'.repeat(200) }],
    [{ subject: 'x'.repeat(500) }],
    [{ content: 'x'.repeat(50_000) }],
    [{ content: 'Hot: {{value}} and {{ device.name }} in { braces }' }],
    [{ content: '{{größe}}' }],
    [{ channelTypes: ['email', 'teams', 'linemessage', 'webhook'] }],
    [{}],
  ])('answers 200 to what is within the limits', async (body) => {
    expect((await at.admin.send('PATCH', path, body)).status).toBe(200);
  });

  it.each([
    [{ name: 'x'.repeat(201) }, ['name']],
    [{ subject: 'x'.repeat(501) }, ['subject']],
    [{ content: 'x'.repeat(50_001) }, ['content']],
    [{ name: 5, tags: 'x' }, ['name', 'tags']],
    [{ channelTypes: ['email', 'sms'] }, ['channelTypes[1]']],
    [{ content: 'Hot: {{value' }, ['content']],
    [{ content: 'Hot: value}}' }, ['content']],
    [{ content: '{{}}' }, ['content']],
    [{ content: '{{a b}}' }, ['content']],
    [{ content: '{{a{{b}}}}' }, ['content']],
    [{ content: '{{1st}}' }, ['content']],
  ])('answers 400 to what is not', async (body, members) => {
    expect(await complaint(await at.admin.send('PATCH', path, body))).toEqual([400, members]);
  });

  it('answers 404 to a template that is not there, or in another organization', async () => {
    for (const id of ['template_999', 'template_101', 'x']) {
      expect(await refusal(await at.admin.send('PATCH', `${templates}/${id}`, {}))).toEqual([404, 'TemplateNotFound']);
    }
  });
});
