import { type HtmlNode, parseHtml } from '../text/html.ts';

export type FormPage = {
  readonly title: string;
  /** The `href` of its <base>. */
  readonly base?: string;
  readonly forms: readonly PageForm[];
  /** The number of password fields. */
  readonly passwords: number;
  /** The visible text and the names of the elements, in lower case: they show what kind of page it is. */
  readonly words: string;
};

export type PageForm = {
  readonly action: string;
  /** In capitals; undefined if the page gives none. */
  readonly method?: string;
  /** The values of its fields by lower-case name, entities decoded, in the order of the page. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
};

/** Reads a page as a browser without scripts does. Never throws. Pass at most 64 KiB, because parsing gets slower with depth. */
export async function readFormPage(html: string): Promise<FormPage> {
  const elements = elementsOf(await parseHtml(html));
  const base = elements.find(({ tag, attributes }) => tag === 'base' && attributes.href !== undefined);
  const title = elements.find(({ tag }) => tag === 'title')?.text ?? '';
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, 200),
    base: base?.attributes.href,
    forms: formsOf(elements),
    passwords: elements.filter(
      ({ tag, attributes }) => tag === 'input' && attributes.type?.toLowerCase() === 'password',
    ).length,
    words: elements.map(elementWords).join(' ').replace(/\s+/g, ' ').toLowerCase(),
  };
}

type PageElement = {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  /** The form around it. */
  readonly form: PageElement | undefined;
  /** The text directly in it. */
  text: string;
};

const ignored = new Set(['script', 'style', 'template']);

function elementsOf(nodes: readonly HtmlNode[]): PageElement[] {
  const root: PageElement = { tag: '', attributes: {}, form: undefined, text: '' };
  const found = [root];
  const open = nodes.toReversed().map((node) => ({ node, parent: root }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, parent } = next;
    if (node.type === 'text') parent.text += `${node.data} `;
    if (!('attribs' in node) || ignored.has(node.name)) continue;
    const form = parent.tag === 'form' ? parent : parent.form;
    const element: PageElement = { tag: node.name, attributes: node.attribs, form, text: '' };
    found.push(element);
    open.push(...node.children.toReversed().map((child) => ({ node: child, parent: element })));
  }
  return found;
}

function formsOf(elements: readonly PageElement[]): PageForm[] {
  const forms = elements.filter(({ tag }) => tag === 'form');
  const fields = new Map(forms.map((form) => [form, new Map<string, string[]>()]));
  const byId = new Map(forms.toReversed().map((form) => [form.attributes.id, form]));
  for (const { tag, attributes, form } of elements) {
    if (tag !== 'input' || attributes.name === undefined) continue;
    // HTML: a field whose form= names no form of the page belongs to none.
    const owner = attributes.form === undefined ? form : byId.get(attributes.form);
    const owned = owner && fields.get(owner);
    const name = attributes.name.toLowerCase();
    owned?.set(name, [...(owned.get(name) ?? []), attributes.value ?? '']);
  }
  return forms.map((form) => ({
    action: form.attributes.action?.trim() ?? '',
    method: form.attributes.method?.trim().toUpperCase(),
    fields: fields.get(form) ?? new Map(),
  }));
}

function elementWords({ attributes, text }: PageElement): string {
  const { id, name, class: style, action } = attributes;
  return [text, id, name, style, action].filter((each) => each !== undefined).join(' ');
}
