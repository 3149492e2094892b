export type { Document } from 'yaml';

/** Reads and writes YAML. It is loaded when it is first needed. */
export const loadYaml = () => import('yaml');

/** What every document of ours is written with; compat quotes what a reader of YAML 1.1 takes for something else: yes, on, 1:30. */
export const yamlOptions = { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
