/**
 * What the end-to-end tests run: the packed and installed copane, and their own bundled programs. `test/set-up.ts`
 * makes both. Without an installation (the gallery), the checkout serves as the product.
 */
import path from 'node:path';
import { ROOT, type TEST_PROGRAMS } from './programs.ts';

export { ROOT } from './programs.ts';
/** The folder of the installed package. */
export const PRODUCT = process.env.COPANE_TEST_PRODUCT ?? ROOT;
/** The Node that runs it. */
export const NODE = process.env.COPANE_TEST_NODE ?? process.execPath;
export const COPANE = path.join(PRODUCT, 'bin/copane');

/** The path of such a program's bundle. */
export function testProgram(name: keyof typeof TEST_PROGRAMS): string {
  return path.join(process.env.COPANE_TEST_PROGRAMS ?? '', `${name}.js`);
}
