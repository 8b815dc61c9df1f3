/** A list that is longer than its pane. Pure. */

/** The first row in view so that the marked one is visible. */
export function listTop(top: number, selected: number, total: number, height: number): number {
  if (height <= 0) return 0;
  const least = Math.max(0, selected - height + 1);
  const most = Math.max(0, Math.min(selected, total - height));
  return Math.min(Math.max(top, least), Math.max(most, least));
}
