/**
 * Draws the surface in a terminal emulator and reads what a person would see: text, style runs, cursor. Only the
 * terminal is emulated; the surface runs as in the product.
 */
import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';
import { composeFrame, planFrame } from '../../src/ui/app/frame.ts';
import { type RenderAppOptions, Surface } from '../../src/ui/app/surface.ts';
import { rowPlainText } from '../../src/ui/kit/row.ts';
import { createTheme } from '../../src/ui/kit/theme/theme.ts';
import type { FakeUi } from './ui-fakes.ts';

export interface TestScreen {
  readonly app: Surface;
  /** Types bytes, all in one chunk. */
  readonly type: (bytes: string) => void;
  /** The rows as text, without trailing blanks. */
  readonly text: () => Promise<string[]>;
  /** The planned rows, without trailing blanks. */
  readonly planned: () => string[];
  /** The rows as text with style runs: `{bold fg4:copane}`. */
  readonly styled: () => Promise<string[]>;
  readonly cursor: () => Promise<{ readonly x: number; readonly y: number; readonly visible: boolean }>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  readonly isAlternate: () => Promise<boolean>;
  readonly isRaw: () => boolean;
  /** Bytes written so far. */
  readonly written: () => number;
  /** Settles when everything written has been drawn. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

class FakeStdout extends EventEmitter {
  columns: number;
  rows: number;
  readonly isTTY = true;
  readonly writable = true;
  readonly #terminal: xterm.Terminal;
  bytes = 0;
  pending: Promise<void> = Promise.resolve();

  constructor(terminal: xterm.Terminal) {
    super();
    this.#terminal = terminal;
    this.columns = terminal.cols;
    this.rows = terminal.rows;
  }

  write(text: string, done?: () => void): boolean {
    this.bytes += text.length;
    this.pending = new Promise((resolve) => {
      this.#terminal.write(text, () => {
        resolve();
        done?.();
      });
    });
    return true;
  }
}

class FakeStdin extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  setEncoding(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  read(): null {
    return null;
  }
}

const TERMINAL_LINE_DISCIPLINE = true;

/** Starts the surface on an emulated terminal of the given size. */
export async function openScreen(
  columns: number,
  rows: number,
  fake: FakeUi,
  options: Partial<Pick<RenderAppOptions, 'theme' | 'keys' | 'askBackground'>> = {},
): Promise<TestScreen> {
  // Lazy parts of the surface are loaded by then: the first frames are the same on a busy machine.
  await Promise.all([import('../../src/ui/app/ink.tsx'), import('../../src/ui/responses/markdown-lines.ts')]);
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 100,
    // A real terminal driver turns a line feed into carriage return and line feed.
    convertEol: TERMINAL_LINE_DISCIPLINE,
  });
  const stdout = new FakeStdout(terminal);
  const stdin = new FakeStdin();
  const theme = options.theme ?? { depth: '16', background: 'dark', ascii: false, plain: false };
  const app = new Surface(fake.ports, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    theme,
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(options.askBackground === undefined ? {} : { askBackground: options.askBackground }),
  });
  app.start();
  const settle = async (): Promise<void> => {
    let seen = -1;
    while (seen !== stdout.bytes) {
      seen = stdout.bytes;
      // Two turns of the frame throttle, then whatever the emulator still has to parse.
      await new Promise((resolve) => setTimeout(resolve, 40));
      await stdout.pending;
    }
  };
  await settle();
  return {
    app,
    type: (bytes) => void stdin.emit('data', bytes),
    text: async () => {
      await settle();
      return linesOf(terminal).map((line) => (line?.translateToString(true) ?? '').trimEnd());
    },
    planned: () => {
      const { state, facts } = app.controller.model.get();
      const look = createTheme(theme);
      return composeFrame(planFrame(state, facts, look), look).map((row) => rowPlainText(row).trimEnd());
    },
    styled: async () => {
      await settle();
      return linesOf(terminal).map((line) => (line === undefined ? '' : styledLine(line, terminal.cols)));
    },
    cursor: async () => {
      await settle();
      const core = (terminal as unknown as { _core: { coreService: { isCursorHidden: boolean } } })._core;
      const { cursorX, cursorY } = terminal.buffer.active;
      return { x: cursorX, y: cursorY, visible: !core.coreService.isCursorHidden };
    },
    resize: async (nextColumns, nextRows) => {
      terminal.resize(nextColumns, nextRows);
      stdout.columns = nextColumns;
      stdout.rows = nextRows;
      stdout.emit('resize');
      await settle();
    },
    isAlternate: async () => {
      await settle();
      return terminal.buffer.active.type === 'alternate';
    },
    isRaw: () => stdin.isRaw,
    written: () => stdout.bytes,
    settle,
    close: async () => {
      app.stop();
      await app.waitUntilExit();
      await settle();
      terminal.dispose();
    },
  };
}

type BufferLine = NonNullable<ReturnType<xterm.Terminal['buffer']['active']['getLine']>>;
type Cell = NonNullable<ReturnType<BufferLine['getCell']>>;

function linesOf(terminal: xterm.Terminal): (BufferLine | undefined)[] {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row));
}

function styledLine(line: BufferLine, columns: number): string {
  let out = '';
  let open = '';
  for (let column = 0; column < columns; column += 1) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    if (style !== open) {
      if (open !== '') out += '}';
      if (style !== '') out += `{${style}:`;
      open = style;
    }
    out += cell.getChars() || ' ';
  }
  return (open === '' ? out : `${out}}`).replace(/ +$/, '');
}

function styleOf(cell: Cell): string {
  const words = [
    cell.isBold() ? 'bold' : '',
    cell.isDim() ? 'dim' : '',
    cell.isItalic() ? 'italic' : '',
    cell.isUnderline() ? 'underline' : '',
    cell.isInverse() ? 'inverse' : '',
    cell.isFgDefault() ? '' : `fg${cell.getFgColor()}`,
  ];
  return words.filter((word) => word !== '').join(' ');
}
