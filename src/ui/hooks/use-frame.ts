/** The bridge from the model to a frame: planned once per change of model or theme. */
import { useMemo } from 'react';
import type { Frame } from '../commands/app-state.ts';
import type { Controller } from '../controller.ts';
import { planFrame } from '../plan/frame.ts';
import type { Store } from '../store.ts';
import type { Theme } from '../theme/theme.ts';
import { useStore } from './use-store.ts';

/** The frame to draw now, and the theme to paint it with. */
export function useFrame(
  model: Controller['model'],
  themes: Store<Theme>,
): { readonly frame: Frame; readonly theme: Theme; readonly columns: number } {
  const { state, facts } = useStore(model);
  const theme = useStore(themes);
  const frame = useMemo(() => planFrame(state, facts, theme), [state, facts, theme]);
  return { frame, theme, columns: state.size.columns };
}
