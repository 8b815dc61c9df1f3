/** A program that writes, renames and deletes files of a folder as fast as it can: `busy-writer.ts FOLDER MS`. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [folder = '', ms = '0'] = process.argv.slice(2);
const FILES = 6;
const PAUSE_MAX_MS = 30;
const end = Date.now() + Number(ms);
const pick = (count: number) => Math.floor(Math.random() * count);

function pause(): void {
  const until = Date.now() + pick(PAUSE_MAX_MS);
  while (Date.now() < until);
}

for (let round = 0; Date.now() < end; round += 1) {
  const file = path.join(folder, `f${pick(FILES)}.txt`);
  const how = pick(10);
  if (how < 6) {
    // As programs do that replace a whole file.
    writeFileSync(`${file}.tmp.${round}`, `renamed ${round}\n`);
    renameSync(`${file}.tmp.${round}`, file);
  } else if (how < 8) writeFileSync(file, `written ${round}\n`);
  else rmSync(file, { force: true });
  if (pick(20) === 0) pause();
}
