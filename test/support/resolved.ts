export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
  [word: string]: unknown;
};
export type Described = {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
  security: Record<string, unknown>[];
};
type Document = { readonly paths: object; readonly components: { readonly schemas: Record<string, unknown> } };

/** The paths of an OpenAPI document, with each schema in place of the references to it. */
export function resolvedPaths(document: object): Record<string, Record<string, Described>> {
  const { paths, components } = document as Document; // the members of every such document
  const resolved = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, each) =>
      '$ref' in Object(each) ? resolved(components.schemas[each.$ref.split('/').at(-1)]) : each,
    );
  return resolved(paths);
}
