/**
 * What the end-to-end tests run: the packed and installed copane, and programs of their own, bundled. `test/set-up.ts` makes
 * both. Where nothing was installed (the gallery), the checkout stands for the product.
 */
import path from 'node:path';
import { ROOT, type TEST_PROGRAMS } from './programs.ts';

export { ROOT } from './programs.ts';
/** The folder of the installed package. */
export const PRODUCT = process.env.COPANE_TEST_PRODUCT ?? ROOT;
/** The Node that runs it. */
export const NODE = process.env.COPANE_TEST_NODE ?? process.execPath;
export const COPANE = path.join(PRODUCT, 'bin/copane');

/** Where the bundle of such a program lies. */
export function testProgram(name: keyof typeof TEST_PROGRAMS): string {
  return path.join(process.env.COPANE_TEST_PROGRAMS ?? '', `${name}.js`);
}
