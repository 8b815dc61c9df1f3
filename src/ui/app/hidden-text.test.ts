/** Every screen, dialog and message with hostile text in everything that a port gives: no frame has it raw. */
import { describe, expect, it } from 'vitest';
import { inFull } from '../../../test/helpers/full-run.ts';
import { FORGED, poisonedPort, rawIn } from '../../../test/helpers/hostile-text.ts';
import { driveUi, type UiDriver } from '../../../test/helpers/ui-driver.ts';
import { galleryEntries } from '../../../test/helpers/ui-gallery.ts';
import { createTheme } from '../kit/theme/theme.ts';
import type { UiPorts } from './ports.ts';

const NARROW = { columns: 40, rows: 12 };
const WIDE = { columns: 160, rows: 50 };
const plain = createTheme({ depth: 'none', background: 'dark', ascii: true, plain: true });

const LOOKS = [
  ['in a terminal', { size: WIDE }],
  ['in a narrow terminal', { size: NARROW }],
  ['in plain mode', { size: WIDE, theme: plain }],
] as const;

/** Keys that lead from everywhere to everywhere. */
const KEYS = [
  ...'1234jjjjkknnpoacruxdDbtgsvViyYAmwWfFhlLCSTHqz?:/+-|[]{}JKGeE',
  '\r',
  '\r',
  '\t',
  '\u001b[27u',
  '\u0004',
  ' ',
];
const STEPS = inFull(12, 600);

/** A small generator (mulberry32): the same keys each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The rows that hold something raw, or begin with what should stand inside a name. */
const unsafeRows = (ui: UiDriver): readonly string[] =>
  ui.rows().filter((row) => /[\n\t]/.test(row) || rawIn(row).length > 0 || row.startsWith(FORGED));

describe.each(LOOKS)('%s', (_, options) => {
  it.each(galleryEntries().map((entry, index) => [entry.name, entry, index] as const))(
    'shows hostile text with every hidden character visible: %s',
    async (_name, { make, keys }, seed) => {
      const fake = make();
      const ports = Object.fromEntries(
        Object.entries(fake.ports).map(([name, port]) => [
          name,
          name === 'clock' ? port : poisonedPort(port),
        ]),
      ) as unknown as UiPorts;
      const ui = await driveUi({ ports }, options);
      const random = randomFrom(seed);
      const typed: string[] = [];
      const type = async (key: string) => {
        typed.push(key);
        await ui.type(key);
        expect(unsafeRows(ui), JSON.stringify(typed)).toEqual([]);
      };
      await type(keys ?? '1');
      for (let step = 0; step < STEPS; step += 1) await type(KEYS[Math.floor(random() * KEYS.length)] ?? '');
    },
  );
});
