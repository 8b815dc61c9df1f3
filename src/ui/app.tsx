/**
 * Starts and ends the surface: Ink for chrome and lifetime, our own decoder for keys, the terminal given back
 * whatever happens. Constructs no adapter; everything real comes in through the ports. Listens for no signal:
 * whoever ends the process calls `restoreTerminal` first.
 */
import { type Instance, render, type SuspendTerminal } from 'ink';
import { App } from './components/app/app.tsx';
import { type Controller, createController } from './controller.ts';
import type { KeyEvent } from './keys/key.ts';
import { createKeymap, type KeyOverrides } from './keys/keymap.ts';
import type { Size } from './plan/row.ts';
import type { UiPorts } from './ports.ts';
import { createPresenter } from './presenter.ts';
import { createStore, type Store } from './store.ts';
import { createTerminalInput } from './terminal.ts';
import { BACKGROUND_QUERY, backgroundOfReply } from './theme/detect.ts';
import { createTheme, type Theme, type ThemeOptions } from './theme/theme.ts';

export interface RenderAppOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly theme: ThemeOptions;
  /** Ask the terminal for its background; off when the user chose one. */
  readonly askBackground?: boolean;
  /** The user's keys; what is wrong with them is shown. */
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

const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l';
const WIPE = '\u001b[H\u001b[2J';
const FRAMES_PER_SECOND = 60;

/** Starts the surface on a terminal. */
export function renderApp(ports: UiPorts, options: RenderAppOptions): RunningApp {
  const { stdin, stdout } = options;
  const { plain } = options.theme;
  const themes = createStore(createTheme(options.theme));
  let instance: Instance | null = null;
  let suspend: SuspendTerminal | null = null;
  let isStopped = false;

  const controller = createController({
    ports,
    keymap: createKeymap(options.keys),
    size: sizeOf(stdout),
    host: { quit: () => stop(), redraw: () => redraw(), handOver: (run) => handOver(run) },
  });
  const presenter = plain ? null : createPresenter({ model: controller.model, themes, output: stdout });
  const input = createTerminalInput({
    stdin,
    stdout,
    clock: ports.clock,
    isAlternate: !plain,
    onKeys: (events) => {
      adoptBackground(events, themes);
      controller.onKeys(events);
    },
  });
  const keepSuspend = (suspendTerminal: SuspendTerminal): void => {
    suspend = suspendTerminal;
  };
  const draw = () => (
    <App presenter={presenter} model={controller.model} themes={themes} onReady={keepSuspend} />
  );

  /** Draws everything anew from the top left corner: a resize or a foreign program has moved what is remembered. */
  const redraw = (): void => {
    if (instance === null || isStopped) return;
    instance.clear();
    if (!plain) stdout.write(WIPE);
    instance.rerender(draw());
    presenter?.redraw();
  };
  const onResize = (): void => {
    controller.resize(sizeOf(stdout));
    redraw();
  };
  const handOver = async <T,>(run: () => Promise<T>): Promise<T> => {
    presenter?.pause();
    input.stop();
    const suspension = await suspend?.();
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
    presenter?.stop();
    instance?.unmount();
    input.restore();
  };
  const stop = (): void => {
    void controller.stop().finally(restoreTerminal);
  };

  input.start();
  if (!plain) stdout.write(ENTER_SCREEN + WIPE);
  instance = render(draw(), {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    alternateScreen: !plain,
    incrementalRendering: true,
    isScreenReaderEnabled: plain,
    maxFps: FRAMES_PER_SECOND,
  });
  presenter?.start();
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

function sizeOf(stdout: NodeJS.WriteStream): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}

/** The terminal's answer about its background changes the theme in place. */
function adoptBackground(events: readonly KeyEvent[], themes: Store<Theme>): void {
  for (const event of events) {
    if (event.kind !== 'reply') continue;
    const background = backgroundOfReply(event.sequence);
    const { options } = themes.get();
    if (background !== null && background !== options.background) {
      themes.set(createTheme({ ...options, background }));
    }
  }
}
