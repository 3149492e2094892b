export type { Document } from 'yaml';

/** Reads and writes YAML. Loaded on first use. */
export const loadYaml = () => import('yaml');

/** Used for every document we write; compat quotes what a YAML 1.1 parser would misread: yes, on, 1:30. */
export const yamlOptions = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
