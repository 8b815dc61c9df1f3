/** The Shell screen's own state: the marked request, what is in view, whether reasons are shown. */
import type { AnsweredRequest, CompletionStatus } from '../../protocol/shell.ts';
import type { Region } from '../kit/layout.ts';
import type { Size } from '../kit/row.ts';
import { WHY_BESIDE_MIN_COLUMNS } from './layout.ts';
import type { ShellView } from './port.ts';

export interface ShellState {
  /** The marked request's id; null follows the newest. */
  readonly marked: number | null;
  /** First request in view. */
  readonly top: number;
  /** Whether the reasons are shown; null: depends on the width. */
  readonly isExplained: boolean | null;
}

export const INITIAL_SHELL: ShellState = { marked: null, top: 0, isExplained: null };

/** The completions' status while they run; otherwise null. */
export function runningStatus(view: ShellView): CompletionStatus | null {
  return view.shell?.state === 'running' ? view.shell.status : null;
}

/** The marked request's index; 0 if it is no longer kept. */
export function markedIndex(shell: ShellState, recent: readonly AnsweredRequest[]): number {
  if (shell.marked === null) return 0;
  return Math.max(
    0,
    recent.findIndex(({ id }) => id === shell.marked),
  );
}

/** Whether the marked request's reasons are on the screen. */
export function isExplained(shell: ShellState, size: Pick<Size, 'columns'> | Region): boolean {
  return shell.isExplained ?? size.columns >= WHY_BESIDE_MIN_COLUMNS;
}
