type Document = { readonly paths: object; readonly components: { readonly schemas: Record<string, unknown> } };

/** The paths of an OpenAPI document, with each schema in place of the references to it. */
export function resolvedPaths(document: object): unknown {
  const { paths, components } = document as Document; // the members of every such document
  const resolved = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, each) =>
      '$ref' in Object(each) ? resolved(components.schemas[each.$ref.split('/').at(-1)]) : each,
    );
  return resolved(paths);
}
