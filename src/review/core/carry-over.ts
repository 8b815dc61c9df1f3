/** Carries one change of a text over to another version of it, as from the index to the disk: whole or not at all. */
import { type FileImage, sameImage } from './file-state.ts';
import { lineTable } from './line-table.ts';
import { merge3 } from './merge3.ts';

/** A change of the file on disk. */
export interface Step {
  readonly from: FileImage | null;
  readonly to: FileImage | null;
}

/** The file with the change from `from` to `to`; unchanged if it does not fit. */
export function carryOver(file: FileImage | null, { from, to }: Step): FileImage | null {
  if (sameImage(file, from)) return to;
  if (!isText(file) || !isText(from) || !isText(to) || file.path !== from.path) return file;
  const merged = merge3(lineTable(from.bytes), lineTable(file.bytes), lineTable(to.bytes));
  if (merged.conflicts > 0) return file;
  const executable = from.executable === to.executable ? file.executable : to.executable;
  return { ...file, path: to.path, executable, bytes: merged.text };
}

/** Whether the file already has the whole change. */
export function contains(file: FileImage | null, step: Step): boolean {
  const back = carryOver(file, { from: step.to, to: step.from });
  return sameImage(step.from, step.to) || (!sameImage(back, file) && sameImage(carryOver(back, step), file));
}

const isText = (image: FileImage | null): image is FileImage =>
  image !== null && image.type === 'file' && !image.bytes.includes(0);
