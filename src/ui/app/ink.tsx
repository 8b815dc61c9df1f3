/**
 * Ink's part of the surface: chrome around the screen area, or all of it in plain mode. Loaded after the first frame:
 * React, Ink and its layout engine are as much to load as everything that the frame itself needs.
 */
import { render } from 'ink';
import { App, type AppProps } from './app.tsx';

export interface InkTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly plain: boolean;
}

/** What is drawn, until it is unmounted. */
export interface InkSurface {
  /** Forgets what is on the screen. */
  readonly clear: () => void;
  readonly rerender: () => void;
  readonly unmount: () => void;
  /** Settles after `unmount`, when everything is written; rejects when drawing failed. */
  readonly waitUntilExit: () => Promise<unknown>;
}

const FRAMES_PER_SECOND = 60;

/** Draws from the cursor's place on; in plain mode line after line, else on the alternate screen. */
export function renderInk(props: AppProps, { stdin, stdout, plain }: InkTerminal): InkSurface {
  const instance = render(<App {...props} />, {
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
  return {
    clear: () => instance.clear(),
    rerender: () => instance.rerender(<App {...props} />),
    unmount: () => instance.unmount(),
    waitUntilExit: () => instance.waitUntilExit(),
  };
}
