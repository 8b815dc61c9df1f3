/**
 * Makes the pictures of the README: `npm run pictures [-- NAME …]`. Runs the real companion in a private tmux beside a
 * scripted AI, drives it by keys, and turns the screen into SVG for dark and light pages. Times are fixed, so that a
 * second run gives the same bytes. Needs a build, tmux and git.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SCENES } from './pictures/scenes.ts';
import { Stage } from './pictures/stage.ts';
import { drawSvg, PAPERS } from './pictures/svg.ts';

const FOLDER = path.resolve(import.meta.dirname, '../docs/pictures');

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
for (const scene of SCENES) {
  if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
  for (const background of ['dark', 'light'] as const) {
    const stage = await Stage.open({
      background,
      size: scene.size,
      companionColumns: scene.companionColumns,
    });
    try {
      const svg = drawSvg(await scene.play(stage), {
        columns: scene.size.columns,
        paper: PAPERS[background],
        title: scene.title,
      });
      const file = path.join(FOLDER, `${scene.name}-${background}.svg`);
      writeFileSync(file, svg);
      console.log(`${path.relative(process.cwd(), file)}  ${Math.ceil(svg.length / 1024)} KB`);
    } finally {
      await stage.close();
    }
  }
}
