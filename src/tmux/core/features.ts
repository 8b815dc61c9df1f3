/** What this tmux can do, by its version. Asked once per server; the rest of the code asks the table, never the version. */

export interface TmuxVersion {
  readonly major: number;
  readonly minor: number;
}

/** `tmux 3.3a`, `tmux next-3.8`, `tmux openbsd-7.4`; null when it cannot be read. */
export function parseTmuxVersion(text: string): TmuxVersion | null {
  // The OpenBSD base system numbers tmux by its own release; it tracks the newest.
  if (/openbsd-\d|tmux master/.test(text)) return { major: 99, minor: 0 };
  const match = /(\d+)\.(\d+)/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

export interface TmuxFeatures {
  /** Control clients that ignore size and pause (3.2). Below it copane does not run. */
  readonly supported: boolean;
  /** `capture-pane -J` pads joined rows to the width (until 3.3). */
  readonly joinPads: boolean;
  /** `#{bracket_paste_flag}` tells whether the program takes framed pastes (3.7). */
  readonly tellsBracketedPaste: boolean;
  /** One read-only control client makes `send-keys` fail for everybody (3.7). */
  readonly readOnlyPoisonsKeys: boolean;
}

/** The feature table of a version. */
export function featuresOf(version: TmuxVersion): TmuxFeatures {
  const atLeast = (major: number, minor: number) =>
    version.major > major || (version.major === major && version.minor >= minor);
  return {
    supported: atLeast(3, 2),
    joinPads: !atLeast(3, 4),
    tellsBracketedPaste: atLeast(3, 7),
    readOnlyPoisonsKeys: atLeast(3, 7),
  };
}
