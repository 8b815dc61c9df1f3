/**
 * Records the screens of the real AI CLIs into test/fixtures/screens. Needs `npm run setup:clients` and the
 * right to create /home/dev, the neutral folder whose name shows on the screens.
 *
 *   node scripts/record-screens.ts [--client NAME ...] [--width N ...] [--scene NAME ...]
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/lib/result.ts';
import { CLIENTS, isInstalled } from '../test/helpers/client-catalog.ts';
import { recordScreens } from '../test/helpers/screen-recorder.ts';

const BASE = '/home/dev';
const WIDTHS = ['90', '44'];

const { values } = parseArgs({
  options: {
    client: { type: 'string', multiple: true, default: [] },
    width: { type: 'string', multiple: true, default: WIDTHS },
    scene: { type: 'string', multiple: true, default: [] },
  },
});

async function main(): Promise<number> {
  if (existsSync(BASE)) {
    console.error(`${BASE} exists; this program would delete it. Nothing was done.`);
    return 3;
  }
  const out = path.join(import.meta.dirname, '../test/fixtures/screens');
  let failed = 0;
  for (const spec of CLIENTS) {
    if (values.client.length > 0 && !values.client.includes(spec.name)) continue;
    if (!isInstalled(spec.name)) {
      console.error(`${spec.name}: not run here (npm run setup:clients)`);
      failed += 1;
      continue;
    }
    for (const width of values.width) {
      const options = { client: spec.name, columns: Number(width), base: BASE, out, onShot: console.log };
      try {
        await recordScreens(options, values.scene);
      } catch (thrown) {
        failed += 1;
        console.error(`${spec.name} at ${width}: ${errorMessage(thrown)}`);
      }
    }
  }
  rmSync(BASE, { recursive: true, force: true });
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
