/** Ink, loaded after the first frame because React, Ink and its layout engine load slowly. */
import { EventEmitter } from 'node:events';
import { render } from 'ink';
import type { Size } from '../kit/row.ts';
import type { ScreenWriter } from '../kit/screen-writer.ts';
import type { Source } from '../kit/store.ts';
import { App } from './app.tsx';
import type { PaintedFrame } from './frame.ts';

export interface InkOptions {
  readonly frames: Source<PaintedFrame>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** The terminal's writer, which receives whole frames; null: Ink writes line by line, for screen readers. */
  readonly writer: ScreenWriter | null;
}

/** The application drawn by Ink, until unmounted. */
export interface InkSurface {
  readonly resize: (size: Size) => void;
  /** Releases the terminal until `resume`. */
  readonly suspend: () => void;
  readonly resume: () => void;
  readonly unmount: () => void;
  /** Settles after `unmount` when everything is written; rejects if drawing failed. */
  readonly waitUntilExit: () => Promise<unknown>;
}

const OPTIONS = { exitOnCtrlC: false, patchConsole: false, interactive: true } as const;

/** Draws now and on every change. */
export function renderInk(options: InkOptions): InkSurface {
  const { writer } = options;
  return writer === null ? renderPlain(options) : renderFrames(options, writer);
}

/** Ink returns each whole frame (debug mode). Its own writer would erase our rectangles with the rest of a line. */
function renderFrames({ frames, stdin }: InkOptions, writer: ScreenWriter): InkSurface {
  const output = new FrameOutput(writer, frames.get().size);
  const instance = render(<App frames={frames} canvas={writer} />, {
    ...OPTIONS,
    stdin,
    stdout: output as unknown as NodeJS.WriteStream,
    debug: true,
  });
  return {
    resize: (size) => output.resize(size),
    suspend: () => undefined,
    resume: () => undefined,
    unmount: () => instance.unmount(),
    waitUntilExit: () => instance.waitUntilExit(),
  };
}

/** Line by line. After another program wrote in between, earlier lines stay as they are. */
function renderPlain({ frames, stdin, stdout }: InkOptions): InkSurface {
  const left = Promise.withResolvers<unknown>();
  const start = () => {
    const instance = render(<App frames={frames} canvas={null} />, {
      ...OPTIONS,
      stdin,
      stdout,
      isScreenReaderEnabled: true,
    });
    instance.waitUntilExit().catch(left.reject);
    return instance;
  };
  let instance = start();
  return {
    resize: () => undefined,
    suspend: () => instance.unmount(),
    resume: () => {
      instance = start();
    },
    unmount: () => {
      instance.unmount();
      instance.waitUntilExit().then(left.resolve, left.reject);
    },
    waitUntilExit: () => left.promise,
  };
}

/** Stands in for the terminal towards Ink. */
class FrameOutput extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #writer: ScreenWriter;

  constructor(writer: ScreenWriter, { columns, rows }: Size) {
    super();
    this.#writer = writer;
    this.columns = columns;
    this.rows = rows;
  }

  resize({ columns, rows }: Size): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }

  write(frame: string, done?: () => void): boolean {
    // An empty write only asks whether earlier writes were accepted.
    if (frame !== '') this.#writer.setLines(frame.split('\n'));
    done?.();
    return true;
  }
}
