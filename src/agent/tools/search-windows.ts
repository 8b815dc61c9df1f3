/** Turns matched lines into the ranges to show: joins neighbours, and takes the files in turn. Pure. */

/** Lines shown before and after a match. */
const CONTEXT_LINES = 2;

/** Lines `startLine` to `endLine`, both included. */
export interface LineWindow {
  readonly startLine: number;
  readonly endLine: number;
}

/** Ranges around `matches` (sorted), none longer than `maxLines`; close matches share one. */
export function windowsOf(matches: readonly number[], maxLines: number): LineWindow[] {
  const around = Math.min(CONTEXT_LINES, Math.floor((maxLines - 1) / 2));
  const windows: LineWindow[] = [];
  for (const match of matches) {
    const last = windows.at(-1);
    const end = match + around;
    if (last !== undefined && match <= last.endLine) {
      windows[windows.length - 1] = { ...last, endLine: Math.min(end, last.startLine + maxLines - 1) };
      continue;
    }
    const start = Math.max(1, match - around, (last?.endLine ?? 0) + 1);
    const joins = last !== undefined && start === last.endLine + 1 && end - last.startLine < maxLines;
    if (joins) windows[windows.length - 1] = { ...last, endLine: end };
    else windows.push({ startLine: start, endLine: end });
  }
  return windows;
}

/** Chooses the windows to show: the first of every file, then the second of every file, and so on; in file order. */
export function chooseWindows<F extends { readonly windows: readonly LineWindow[] }>(
  files: readonly F[],
  limit: number,
): readonly { readonly file: F; readonly windows: readonly LineWindow[] }[] {
  const counts = files.map(() => 0);
  let left = limit;
  for (let round = 0; left > 0; round += 1) {
    let taken = 0;
    for (const [index, file] of files.entries()) {
      if (left === 0) break;
      if (file.windows.length <= round) continue;
      counts[index] = round + 1;
      left -= 1;
      taken += 1;
    }
    if (taken === 0) break;
  }
  return files
    .map((file, index) => ({ file, windows: file.windows.slice(0, counts[index]) }))
    .filter(({ windows }) => windows.length > 0);
}
