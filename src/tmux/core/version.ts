/** The version of tmux, and whether it can do what copane needs. Pure. */

export interface TmuxVersion {
  readonly major: number;
  readonly minor: number;
}

/** Parses `tmux 3.3a`, `tmux next-3.8`, `tmux openbsd-7.4`; null if invalid. */
export function parseTmuxVersion(text: string): TmuxVersion | null {
  // The OpenBSD base system numbers tmux by its own release; it tracks the newest.
  if (/openbsd-\d|tmux master/.test(text)) return { major: 99, minor: 0 };
  const match = /(\d+)\.(\d+)/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

/** Whether control clients can ignore the size and pause, as since 3.2. copane requires that. */
export function isSupported({ major, minor }: TmuxVersion): boolean {
  return major > 3 || (major === 3 && minor >= 2);
}
