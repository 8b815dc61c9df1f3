/**
 * Starts and ends the surface: Ink for drawing, our own decoder for keys, the terminal given back whatever
 * happens. Constructs no adapter; everything real comes in through the ports.
 */
import { type Instance, render, type SuspendTerminal, useApp } from 'ink';
import { useEffect } from 'react';
import { ScreenRows } from './components/screen-rows/screen-rows.tsx';
import { type Controller, createController } from './controller.ts';
import { useFrame } from './hooks/use-frame.ts';
import type { KeyEvent } from './keys/key.ts';
import { createKeymap, type KeyOverrides } from './keys/keymap.ts';
import type { Size } from './plan/row.ts';
import type { UiPorts } from './ports.ts';
import { createStore, type Store } from './store.ts';
import { createTerminalInput, type TerminalInput } from './terminal.ts';
import { BACKGROUND_QUERY, backgroundOfReply } from './theme/detect.ts';
import { createTheme, type Theme, type ThemeOptions } from './theme/theme.ts';

export interface RenderAppOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly theme: ThemeOptions;
  /** Ask the terminal for its background; off when the user chose one. */
  readonly askBackground?: boolean;
  readonly keys?: KeyOverrides;
}

export interface RunningApp {
  /** Settles when the user quit or `unmount` was called; rejects when drawing failed. The terminal is whole by then. */
  readonly waitUntilExit: () => Promise<void>;
  /** Ends the surface: what is unsaved is saved, the terminal is given back. */
  readonly unmount: () => void;
  /** Gives the terminal back at once: the first thing to do at a signal or a defect. Any number of times. */
  readonly restoreTerminal: () => void;
  readonly controller: Controller;
}

/** Starts the surface on a terminal. */
export function renderApp(ports: UiPorts, options: RenderAppOptions): RunningApp {
  const { stdin, stdout } = options;
  const themes = createStore(createTheme(options.theme));
  const keymap = createKeymap(options.keys);
  let instance: Instance | null = null;
  let isStopped = false;
  let suspend: SuspendTerminal | null = null;

  const controller = createController({
    ports,
    keymap,
    size: sizeOf(stdout),
    host: {
      quit: () => stop(),
      redraw: () => redraw(),
      handOver: (run) => handOver(run),
    },
  });
  const input = createTerminalInput({
    stdin,
    stdout,
    clock: ports.clock,
    onKeys: (events) => {
      adoptBackground(events, themes);
      controller.onKeys(events);
    },
  });
  const draw = () => (
    <App
      controller={controller}
      themes={themes}
      onReady={(suspendTerminal) => {
        suspend = suspendTerminal;
      }}
    />
  );

  /** Draws everything anew from the top left corner: a resize or a foreign program has moved what Ink remembers. */
  const redraw = (): void => {
    if (instance === null || isStopped) return;
    instance.clear();
    if (!options.theme.plain) stdout.write('\u001b[H\u001b[2J');
    instance.rerender(draw());
  };
  const onResize = (): void => {
    controller.resize(sizeOf(stdout));
    redraw();
  };
  const handOver = async <T,>(run: () => Promise<T>): Promise<T> => {
    const suspension = await suspend?.();
    input.stop();
    try {
      return await run();
    } finally {
      if (!isStopped) {
        input.start();
        await suspension?.resume();
        onResize();
      }
    }
  };
  const restoreTerminal = (): void => {
    if (isStopped) return;
    isStopped = true;
    stdout.off('resize', onResize);
    instance?.unmount();
    input.restore();
  };
  const stop = (): void => {
    void controller.stop().then(restoreTerminal, (error: unknown) => {
      restoreTerminal();
      throw error;
    });
  };

  input.start();
  if (!options.theme.plain) stdout.write('\u001b[?1049h\u001b[?25l\u001b[H\u001b[J');
  instance = render(draw(), {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    alternateScreen: !options.theme.plain,
    incrementalRendering: true,
    isScreenReaderEnabled: options.theme.plain,
    maxFps: 60,
  });
  stdout.on('resize', onResize);
  controller.start();
  if (options.askBackground === true && stdout.isTTY) stdout.write(BACKGROUND_QUERY);

  const exited = instance.waitUntilExit();
  return {
    waitUntilExit: async () => {
      try {
        await exited;
      } finally {
        await controller.stop();
        restoreTerminal();
      }
    },
    unmount: stop,
    restoreTerminal,
    controller,
  };
}

interface AppProps {
  readonly controller: Controller;
  readonly themes: Store<Theme>;
  /** Gets Ink's own way of letting go of the screen, which no other way can reach. */
  readonly onReady: (suspend: SuspendTerminal) => void;
}

function App({ controller, themes, onReady }: AppProps) {
  const { suspendTerminal } = useApp();
  useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
  return <ScreenRows {...useFrame(controller.model, themes)} />;
}

function sizeOf(stdout: NodeJS.WriteStream): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}

/** The terminal's answer about its background changes the theme in place. */
function adoptBackground(events: readonly KeyEvent[], themes: Store<Theme>): void {
  for (const event of events) {
    if (event.kind !== 'reply') continue;
    const background = backgroundOfReply(event.sequence);
    const { options } = themes.get();
    if (background !== null && background !== options.background)
      themes.set(createTheme({ ...options, background }));
  }
}

export type { TerminalInput };
