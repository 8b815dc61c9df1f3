/** The two faces of the surface: chrome around an area that is drawn elsewhere, or plain lines, all through Ink. */
import { type SuspendTerminal, useApp } from 'ink';
import { useEffect } from 'react';
import type { Store } from '../kit/store.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { useStore } from '../kit/use-store.ts';
import type { Controller } from './controller.ts';
import type { Presenter } from './presenter.ts';
import { ScreenRows } from './screen-rows.tsx';
import { usePlainRows } from './use-plain-rows.ts';

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
