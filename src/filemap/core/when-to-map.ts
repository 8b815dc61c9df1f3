/** Which reads are answered with a map as well. Pure. */

/** A read is cut at whichever comes first. */
export const READ_MAX_LINES = 2_000;
export const READ_MAX_BYTES = 50 * 1024;

/** Whether a whole-file read of this size wants a map beside it. */
export function needsMap(file: { readonly totalLines: number; readonly totalBytes: number }): boolean {
  return file.totalLines > READ_MAX_LINES || file.totalBytes > READ_MAX_BYTES;
}
