/** The two faces of the surface: chrome around an area that is drawn elsewhere, or plain lines, all through Ink. */
import { type SuspendTerminal, useApp } from 'ink';
import { useEffect } from 'react';
import type { Controller } from '../../controller.ts';
import { usePlainRows } from '../../hooks/use-plain-rows.ts';
import { useStore } from '../../hooks/use-store.ts';
import type { Presenter } from '../../presenter.ts';
import type { Store } from '../../store.ts';
import type { Theme } from '../../theme/theme.ts';
import { ScreenRows } from '../screen-rows/screen-rows.tsx';

export interface AppProps {
  /** Draws the screen area; null in plain mode. */
  readonly presenter: Presenter | null;
  readonly model: Controller['model'];
  readonly themes: Store<Theme>;
  /** Gets Ink's way of letting go of the screen, which nothing outside its tree can reach. */
  readonly onReady: (suspend: SuspendTerminal) => void;
}

/** The root of the tree. */
export function App({ presenter, model, themes, onReady }: AppProps) {
  const { suspendTerminal } = useApp();
  useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
  return presenter === null ? (
    <PlainScreen model={model} themes={themes} />
  ) : (
    <ChromeRows presenter={presenter} />
  );
}

function ChromeRows({ presenter }: { readonly presenter: Presenter }) {
  return <ScreenRows {...useStore(presenter.chrome)} />;
}

function PlainScreen({ model, themes }: Pick<AppProps, 'model' | 'themes'>) {
  return <ScreenRows {...usePlainRows(model, themes)} />;
}
