/**
 * Prints every screen and overlay at chosen sizes from fixtures: `npm run gallery [-- NAME] [-- 80x24 …]`. Draws from
 * the product's plans, without a terminal. `--live` (`npm run dev`) runs the whole surface on fakes instead;
 * `--contrast` computes how readable each colour is on the usual themes. Needs neither tmux nor an AI CLI.
 */
import { spawnSync } from 'node:child_process';
import { Controller } from '../src/ui/app/controller.ts';
import { composeFrame, planFrame } from '../src/ui/app/frame.ts';
import { appKeymap } from '../src/ui/app/key-table.ts';
import { Decoder } from '../src/ui/kit/keys/decoder.ts';
import { paintRow, type Size } from '../src/ui/kit/row.ts';
import { PALETTES } from '../src/ui/kit/theme/palette.ts';
import { createTheme } from '../src/ui/kit/theme/theme.ts';
import {
  DEPTHS,
  FAINT_MIN_RATIO,
  hex,
  ratio,
  TEXT_MIN_RATIO,
  USUAL_THEMES,
} from '../test/helpers/contrast.ts';
import { buildDemo } from '../test/helpers/ui-demo-build.ts';
import { galleryEntries } from '../test/helpers/ui-gallery.ts';

const DEFAULT_SIZES: readonly Size[] = [
  { columns: 40, rows: 12 },
  { columns: 60, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 160, rows: 50 },
];

// A closed pipe (`npm run gallery | head`) is not an error.
process.stdout.on('error', () => process.exit(0));
const words = process.argv.slice(2);
if (words.includes('--live')) {
  const rest = words.filter((word) => word !== '--live');
  const { status } = spawnSync(process.execPath, [await buildDemo(), ...rest], {
    stdio: 'inherit',
    env: { DEMO_REVIEW: '1', ...process.env },
  });
  process.exit(status ?? 1);
}
if (words.includes('--contrast')) {
  printContrast();
  process.exit(0);
}
const sizes = words.flatMap((word): Size[] => {
  const match = /^(\d+)x(\d+)$/.exec(word);
  return match === null ? [] : [{ columns: Number(match[1]), rows: Number(match[2]) }];
});
const plain = words.includes('--plain');
const names = words.filter((word) => !/^(\d+x\d+|--plain|--ascii)$/.test(word));
const theme = createTheme({
  depth: plain || process.env.NO_COLOR ? 'none' : '256',
  background: 'dark',
  ascii: words.includes('--ascii') || plain,
  plain,
});

for (const entry of galleryEntries()) {
  if (names.length > 0 && !names.some((name) => entry.name.includes(name))) continue;
  for (const size of sizes.length > 0 ? sizes : DEFAULT_SIZES) {
    const fake = entry.make();
    const controller = new Controller({
      ports: fake.ports,
      keymap: appKeymap(),
      size,
      host: { quit: () => undefined, redraw: () => undefined, handOver: (run) => run() },
    });
    controller.start();
    await new Promise((resolve) => setImmediate(resolve));
    controller.onKeys(new Decoder().push(entry.keys ?? ''));
    await new Promise((resolve) => setImmediate(resolve));
    const { state, facts } = controller.model.get();
    const edge = `+${'-'.repeat(size.columns)}+`;
    console.log(`\n${entry.name}  ${size.columns}x${size.rows}\n${edge}`);
    for (const row of composeFrame(planFrame(state, facts, theme), theme))
      console.log(`|${paintRow(row, theme)}`);
    console.log(edge);
    await controller.stop();
  }
}

/** The ratio of each colour on each theme; `!` marks those that are too low. */
function printContrast(): void {
  for (const background of ['dark', 'light'] as const) {
    for (const [depth, rgb] of DEPTHS) {
      const hues = Object.entries(PALETTES[background]);
      console.log(`\n${background}, ${depth}`.padEnd(20) + hues.map(([hue]) => hue.padStart(9)).join(''));
      for (const [name, ground] of Object.entries(USUAL_THEMES[background])) {
        const ratios = hues.map(([hue, color]) => {
          const found = ratio(rgb(color), hex(ground));
          const least = hue === 'grey' ? FAINT_MIN_RATIO : TEXT_MIN_RATIO;
          return `${found.toFixed(1)}${found < least ? '!' : ' '}`.padStart(9);
        });
        console.log(name.padEnd(19) + ratios.join(''));
      }
    }
  }
}
