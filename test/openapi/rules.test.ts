/** The published OpenAPI document, by the recommended rules of the two programs that most people lint with. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openapi } from '../../src/contract/openapi.ts';

/** They are in a folder of their own, and tell TypeScript nothing here. */
type Redocly = {
  createConfig(given: { extends: readonly string[] }): Promise<object>;
  lintFromString(given: { source: string; absoluteRef: string; config: object }): Promise<readonly RedoclyProblem[]>;
};
type RedoclyProblem = { readonly severity: string; readonly ruleId: string; readonly message: string };
type Spectral = {
  Spectral: new () => { setRuleset(set: object): void; run(document: object): Promise<readonly SpectralProblem[]> };
};
type SpectralProblem = { readonly severity: number; readonly code: string | number; readonly message: string };

const require = createRequire(resolve('build/openapi-rules/package.json'));

describe('the published OpenAPI document', () => {
  it('breaks no recommended rule of Redocly', async () => {
    const { createConfig, lintFromString } = require('@redocly/openapi-core') as Redocly;
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: JSON.stringify(openapi()), absoluteRef: 'openapi.json', config });
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
    // What the interface does not show: a licence, and how two operations refuse. And a "not" names what it forbids.
    expect([...new Set(found.map(({ ruleId }) => ruleId))].sort()).toEqual([
      'info-license',
      'no-required-schema-properties-undefined',
      'operation-4xx-response',
    ]);
  });

  it('breaks no recommended rule of Spectral', async () => {
    const { Spectral } = require('@stoplight/spectral-core') as Spectral;
    const { oas } = require('@stoplight/spectral-rulesets') as { oas: object };
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas, 'recommended']] });
    const found = await spectral.run(openapi());
    expect(found.filter(({ severity }) => severity === 0)).toEqual([]);
    expect(found.map(({ code }) => code)).toEqual(['info-contact']);
  });
});
