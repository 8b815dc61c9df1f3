import type { AppState, Overlay } from '../../commands/app-state.ts';
import type { Row, Size } from '../../plan/row.ts';
import type { Theme } from '../../theme/theme.ts';
export function planPreview(
  _o: Extract<Overlay, { kind: 'preview' }>,
  _s: AppState,
  _z: Size,
  _t: Theme,
): { rows: readonly Row[]; remark: Row } {
  return { rows: [], remark: [] };
}
