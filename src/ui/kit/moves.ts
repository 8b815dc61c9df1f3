/** Movement commands by rows, pages and halves, made from one handler. */

/** Rows to move, negative for up. The page determines half a page, the total determines the ends. */
export type MoveRows = (page: number, total: number) => number;

/** The movement commands of any list. Half a page is at least `halfMin` rows. */
export function moveCommands<H>(by: (rows: MoveRows) => H, halfMin = 1) {
  const half = (page: number) => Math.max(halfMin, Math.ceil(page / 2));
  return {
    'move/down': by(() => 1),
    'move/up': by(() => -1),
    'move/page-down': by((page) => page),
    'move/page-up': by((page) => -page),
    'move/half-down': by(half),
    'move/half-up': by((page) => -half(page)),
    'move/first': by((_, total) => -Math.max(halfMin, total)),
    'move/last': by((_, total) => Math.max(halfMin, total)),
  };
}
