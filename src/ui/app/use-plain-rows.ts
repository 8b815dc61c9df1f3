/** The bridge from the model to plain lines: empty rows are left out, a screen reader reads line after line. */
import { useMemo } from 'react';
import { paintRow } from '../kit/row.ts';
import type { Store } from '../kit/store.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { useStore } from '../kit/use-store.ts';
import type { Controller } from './controller.ts';
import { planFrame } from './frame.ts';
import type { Chrome } from './presenter.ts';

/** What is drawn now. */
export function usePlainRows(model: Controller['model'], themes: Store<Theme>): Chrome {
  const { state, facts } = useStore(model);
  const theme = useStore(themes);
  return useMemo(() => {
    const { rows } = planFrame(state, facts, theme);
    const lines = rows.map((row) => paintRow(row, theme)).filter((line) => line.trim() !== '');
    return { rows: lines, columns: state.size.columns, cursor: null };
  }, [state, facts, theme]);
}
