/** The user's review settings and their defaults. */

/** The user's settings. */
export interface ReviewSettings {
  /** A rejected hunk is also removed from its sandbox, if we may write there. */
  readonly revertOnReject: boolean;
  readonly stageOnAccept: boolean;
  /** Finalizing commits accepted changes if the target is in a git repository. */
  readonly commitOnFinalize: boolean;
  /** The last decision finalizes, with a commit. */
  readonly autoSync: boolean;
  /** Finalizing work from a jj sandbox folds its change into the target's, and pushes that. */
  readonly jjFinalize: 'none' | 'squash' | 'push';
}

export const DEFAULT_SETTINGS: ReviewSettings = {
  revertOnReject: true,
  stageOnAccept: false,
  commitOnFinalize: false,
  autoSync: false,
  jjFinalize: 'none',
};
