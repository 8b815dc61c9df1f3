/**
 * Records the screens of the real AI CLIs into test/fixtures/screens. Needs `npm run setup:clients` and the right to
 * make a folder in /home, whose neutral name shows on the screens.
 *
 *   node scripts/record-screens.ts [--client NAME ...] [--width N ...] [--scene NAME ...]
 *   node scripts/record-screens.ts --accept      records nothing: writes what the rules read now as the expected
 *                                                answers. Read the diff before you commit it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/lib/result.ts';
import { screenRulesFor } from '../src/responses/screens/registry.ts';
import { CLIENTS, isInstalled } from '../test/helpers/client-catalog.ts';
import { recordScreens } from '../test/helpers/screen-recorder.ts';
import {
  formatExpected,
  linesAfterPrompt,
  readRecordings,
  SCREENS_DIR,
} from '../test/helpers/screen-recordings.ts';

const WIDTHS = ['90', '44'];

const { values } = parseArgs({
  options: {
    client: { type: 'string', multiple: true, default: [] },
    width: { type: 'string', multiple: true, default: WIDTHS },
    scene: { type: 'string', multiple: true, default: [] },
    accept: { type: 'boolean', default: false },
  },
});

/** Writes the expected answers, but keeps the list of what a screen loses: only a person can judge that. */
function accept(): void {
  for (const recording of readRecordings()) {
    if (recording.history === null) continue;
    const { facts, label, expected } = recording;
    const read = screenRulesFor(facts.cli).extract(linesAfterPrompt(recording), facts.columns);
    const lost = expected?.lost ?? 'not said yet';
    writeFileSync(path.join(SCREENS_DIR, `${label}.expected.md`), formatExpected({ lost, ...read }));
  }
}

async function main(): Promise<number> {
  if (values.accept) {
    accept();
    return 0;
  }
  let failed = 0;
  for (const spec of CLIENTS) {
    if (values.client.length > 0 && !values.client.includes(spec.name)) continue;
    if (!isInstalled(spec.name)) {
      console.error(`${spec.name}: not run here (npm run setup:clients)`);
      failed += 1;
      continue;
    }
    for (const width of values.width) {
      const options = {
        client: spec.name,
        columns: Number(width),
        out: SCREENS_DIR,
        onShot: console.log,
      };
      try {
        if (await recordScreens(options, values.scene)) continue;
        console.error('no folder can be made in /home: nothing was recorded');
        return 3;
      } catch (thrown) {
        failed += 1;
        console.error(`${spec.name} at ${width}: ${errorMessage(thrown)}`);
      }
    }
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
