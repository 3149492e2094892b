/** Gives cli-table3, where it is run from its source, the same measure as the build does: build/string-width.cjs. */
import { createRequire } from 'node:module';
import { textWidth } from '../../src/output/text-width.ts';

const own = createRequire(import.meta.resolve('cli-table3'));
const file = own.resolve('string-width');
own.cache[file] = { id: file, filename: file, loaded: true, exports: textWidth } as NodeJS.Module; // all that `require` looks at
