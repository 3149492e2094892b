/** Gives cli-table3 the same width function as in the build (build/string-width.cjs) when it runs from its source. */
import { createRequire } from 'node:module';
import { textWidth } from '../../src/output/text-width.ts';

const own = createRequire(import.meta.resolve('cli-table3'));
const file = own.resolve('string-width');
own.cache[file] = { id: file, filename: file, loaded: true, exports: textWidth } as NodeJS.Module; // all that `require` needs
