/**
 * Starts and ends the surface: draws the first frame itself, then lets Ink draw, and always restores the terminal.
 * Everything real comes in through ports. Handles no signals: whoever ends the process calls `restoreTerminal`.
 */

import type { NoteContext } from '../../protocol/draft.ts';
import type { KeyEvent } from '../kit/keys/key.ts';
import type { KeyOverrides } from '../kit/keys/keymap.ts';
import { keepLast } from '../kit/memo.ts';
import { type PaintedRow, paintSpans, type Size } from '../kit/row.ts';
import { ScreenWriter } from '../kit/screen-writer.ts';
import { createStore, type Source, type Store } from '../kit/store.ts';
import {
  BACKGROUND_NEWS_OFF,
  BACKGROUND_NEWS_ON,
  BACKGROUND_QUERY,
  backgroundOfReply,
} from '../kit/theme/detect.ts';
import type { Background } from '../kit/theme/palette.ts';
import { createTheme, type Theme, type ThemeOptions } from '../kit/theme/theme.ts';
import { PLAIN_MAX_COLUMNS } from '../responses/layout.ts';
import { Controller } from './controller.ts';
import { composeFrame, type Frame, type PaintedFrame, paintFrame, planFrame } from './frame.ts';
import type { InkSurface, renderInk } from './ink.tsx';
import { appKeymap } from './key-table.ts';
import type { UiPorts } from './ports.ts';
import { createTerminalInput, type TerminalInput } from './terminal.ts';

export interface RenderAppOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly theme: ThemeOptions;
  /** Whether to ask the terminal for its background; false if the user chose one. */
  readonly askBackground?: boolean;
  /** What tmux knows about the terminal, which cannot always be asked from inside tmux. */
  readonly knownTerminal?: () => Promise<KnownTerminal>;
  /** The user's keys; problems in them are shown. */
  readonly keys?: KeyOverrides;
  /** Sending notes also removes the pulled lines from the draft. */
  readonly clearOnSend?: boolean;
  /** How much of the answered line a note quotes, initially. */
  readonly noteContext?: NoteContext;
  readonly problems?: readonly string[];
  /** Handle clicks, wheel and drags; false leaves them to the terminal. `auto`: as in tmux. Never in plain mode. */
  readonly mouse?: boolean | 'auto';
  /** A message to show at start. */
  readonly greeting?: string | null;
  /** Delays asking tmux, and in plain mode loading Ink, until more urgent work is done. Omitted: immediately. */
  readonly whenCalm?: Promise<unknown>;
  /** Delays Ink, which redraws the frame already there. Default: immediately. Not in plain mode. */
  readonly whenShown?: Promise<unknown>;
}

/** The terminal that shows us, as tmux knows it. */
export interface KnownTerminal {
  readonly background: Background | null;
  /** tmux handles the mouse and passes it on to a pane's program on request. */
  readonly hasMouse: boolean;
}

const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[?25h\u001b[?1049l';
const BELL = '\u0007';
const WIPE = '\u001b[H\u001b[2J';

/** Owns the terminal from `start` to `restoreTerminal`. */
export class Surface {
  readonly controller: Controller;
  readonly #options: RenderAppOptions;
  readonly #themes: Store<Theme>;
  readonly #frames: Frames;
  /** Null in plain mode, where Ink writes itself. */
  readonly #writer: ScreenWriter | null;
  readonly #input: TerminalInput;
  readonly #left = Promise.withResolvers<unknown>();
  #unsubscribe: () => void = () => undefined;
  #renderInk: typeof renderInk | null = null;
  #ink: InkSurface | null = null;
  #isHandedOver = false;
  #isStopped = false;

  constructor(ports: UiPorts, options: RenderAppOptions) {
    const { stdin, stdout, theme, keys, clearOnSend, noteContext, problems = [], greeting = null } = options;
    this.#options = options;
    this.#themes = createStore(createTheme(theme));
    this.controller = new Controller({
      ports,
      keymap: appKeymap(keys),
      size: sizeOf(stdout, theme.plain),
      host: { quit: () => this.stop(), redraw: () => this.#redraw(), handOver: (run) => this.#handOver(run) },
      ...(clearOnSend === undefined ? {} : { clearOnSend }),
      ...(noteContext === undefined ? {} : { noteContext }),
      problems,
      greeting,
    });
    this.#frames = createFrames(this.controller.model, this.#themes);
    this.#writer = theme.plain ? null : new ScreenWriter(stdout, (flush) => void setImmediate(flush));
    this.#input = createTerminalInput({
      stdin,
      stdout,
      clock: ports.clock,
      isAlternate: !theme.plain,
      hasMouse: options.mouse === true && !theme.plain,
      onKeys: (events) => {
        adoptBackground(events, this.#themes);
        this.controller.onKeys(events);
      },
    });
  }

  start(): void {
    const { stdout, theme, whenCalm } = this.#options;
    this.#input.start();
    if (!theme.plain) stdout.write(ENTER_SCREEN);
    this.controller.start();
    if (this.#writer !== null) this.#drawWithoutInk(this.#writer);
    stdout.on('resize', this.#onResize);
    this.#askTerminal();
    void Promise.resolve(whenCalm).then(() => this.#askTmux());
    this.#loadInk().catch(this.#left.reject);
  }

  /** Settles when the user quit or `stop` was called; rejects if drawing failed. The terminal is restored by then. */
  async waitUntilExit(): Promise<void> {
    try {
      await this.#left.promise;
    } finally {
      await this.controller.stop();
      this.restoreTerminal();
    }
  }

  /** Ends the surface: saves unsaved data and restores the terminal. */
  stop(): void {
    void this.controller.stop().finally(() => this.restoreTerminal());
  }

  /** Rings the terminal's bell between two frames. */
  ring(): void {
    this.#options.stdout.write(BELL);
  }

  /** Restores the terminal immediately: the first thing to do on a signal or a defect. May be called repeatedly. */
  restoreTerminal(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#options.stdout.off('resize', this.#onResize);
    this.#writer?.pause();
    this.#unsubscribe();
    this.#ink?.unmount();
    const { stdout, askBackground } = this.#options;
    if (askBackground === true && stdout.isTTY) stdout.write(BACKGROUND_NEWS_OFF);
    this.#input.restore();
    if (this.#ink === null) this.#left.resolve(undefined);
  }

  /** Writes the whole frame as one rectangle, now and on every change. */
  #drawWithoutInk(writer: ScreenWriter): void {
    const draw = (): void => {
      const { size, cursor, rows } = this.#frames.composed();
      writer.setRectangle(this, { x: 0, y: 0, columns: size.columns, rows });
      writer.setCursor(cursor);
    };
    writer.resize(sizeOf(this.#options.stdout, false));
    draw();
    this.#unsubscribe = this.#frames.subscribe(draw);
    writer.flush();
  }

  async #loadInk(): Promise<void> {
    const { theme, whenCalm, whenShown } = this.#options;
    await (theme.plain ? whenCalm : whenShown);
    const { renderInk } = await import('./ink.tsx');
    void import('../responses/markdown-lines.ts').then(
      ({ markdownLines }) => this.controller.readBy(markdownLines),
      this.#left.reject,
    );
    this.#renderInk = renderInk;
    this.#mountInk();
  }

  /** Ink takes over and redraws the frame already there. */
  #mountInk(): void {
    if (this.#renderInk === null || this.#isHandedOver || this.#isStopped) return;
    const { stdin, stdout } = this.#options;
    const writer = this.#writer;
    this.#unsubscribe();
    this.#ink = this.#renderInk({ frames: this.#frames, stdin, stdout, writer });
    this.#ink.waitUntilExit().then(this.#left.resolve, this.#left.reject);
    if (writer === null) return;
    const setCursor = (): void => writer.setCursor(this.#frames.get().cursor);
    this.#unsubscribe = this.#frames.subscribe(setCursor);
    setCursor();
    writer.setRectangle(this, null);
  }

  readonly #onResize = (): void => {
    // Another program has the screen; it is redrawn in the new size when it returns.
    if (this.#isHandedOver) return;
    const size = sizeOf(this.#options.stdout, this.#options.theme.plain);
    this.controller.resize(size);
    this.#ink?.resize(size);
    this.#writer?.resize(size);
    this.#redraw();
    this.#askTerminal();
    void this.#askTmux();
  };

  /** The answer arrives among the keys. */
  #askTerminal(): void {
    const { stdout, askBackground } = this.#options;
    if (askBackground === true && stdout.isTTY) stdout.write(BACKGROUND_NEWS_ON + BACKGROUND_QUERY);
  }

  /** Another terminal, with another size, may show this pane by now. */
  async #askTmux(): Promise<void> {
    const { askBackground, knownTerminal, mouse, theme } = this.#options;
    const asksMouse = mouse === 'auto' && !theme.plain;
    if (askBackground !== true && !asksMouse) return;
    const known = await knownTerminal?.();
    if (known === undefined || this.#isStopped) return;
    if (askBackground === true && known.background !== null) setBackground(this.#themes, known.background);
    if (asksMouse) this.#input.setMouse(known.hasMouse);
  }

  /** Redraws everything: a resize or another program has moved what we remember. */
  #redraw(): void {
    if (this.#isStopped || this.#writer === null) return;
    this.#options.stdout.write(WIPE);
    this.#writer.forget();
  }

  /** Gives the terminal to `run`: no key is read and nothing is drawn until it settles. */
  async #handOver<T>(run: () => Promise<T>): Promise<T> {
    const { stdout } = this.#options;
    this.#writer?.pause();
    this.#ink?.suspend();
    this.#isHandedOver = true;
    this.#input.stop();
    if (this.#writer !== null) stdout.write(LEAVE_SCREEN);
    try {
      return await run();
    } finally {
      this.#isHandedOver = false;
      if (!this.#isStopped) {
        this.#input.start();
        if (this.#writer !== null) stdout.write(ENTER_SCREEN);
        this.#writer?.resume();
        if (this.#ink === null) this.#mountInk();
        else this.#ink.resume();
        this.#onResize();
      }
    }
  }
}

function sizeOf(stdout: NodeJS.WriteStream, isPlain: boolean): Size {
  const columns = stdout.columns || 80;
  return { columns: isPlain ? Math.min(columns, PLAIN_MAX_COLUMNS) : columns, rows: stdout.rows || 24 };
}

/** The terminal's answer about its background changes the theme. */
function adoptBackground(events: readonly KeyEvent[], themes: Store<Theme>): void {
  for (const event of events) {
    const background = event.kind === 'reply' ? backgroundOfReply(event.sequence) : null;
    if (background !== null) setBackground(themes, background);
  }
}

function setBackground(themes: Store<Theme>, background: Background): void {
  const { options } = themes.get();
  if (background !== options.background) themes.set(createTheme({ ...options, background }));
}

interface Frames extends Source<PaintedFrame> {
  /** The same frame as rows, for use before Ink is loaded, with the cursor's position. */
  readonly composed: () => Pick<Frame, 'size' | 'cursor'> & { readonly rows: readonly PaintedRow[] };
}

/** A model's frames in a theme. */
export function createFrames(model: Controller['model'], themes: Source<Theme>): Frames {
  const keepFrame = keepLast<Frame>();
  const keepPainted = keepLast<PaintedFrame>();
  const planned = () => {
    const [now, theme] = [model.get(), themes.get()];
    return keepFrame([now, theme], () => planFrame(now.state, now.facts, theme));
  };
  return {
    get: () => {
      const frame = planned();
      return keepPainted([frame], () => paintFrame(frame, themes.get()));
    },
    composed: () => {
      const frame = planned();
      const theme = themes.get();
      const rows = composeFrame(frame, theme).map((row) => paintSpans(row, theme));
      return { size: frame.size, cursor: frame.cursor, rows };
    },
    subscribe: (listener) => {
      const unsubscribes = [model.subscribe(listener), themes.subscribe(listener)];
      return () => {
        for (const unsubscribe of unsubscribes) unsubscribe();
      };
    },
  };
}
