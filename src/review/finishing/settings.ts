/** What the user has set about reviews, and what holds without a word. */

/** What the user has set. */
export interface ReviewSettings {
  /** A rejected hunk is taken out of the sandbox it came from, where that is ours to write. */
  readonly revertOnReject: boolean;
  readonly stageOnAccept: boolean;
  /** Finalizing commits what was accepted, where the target is in a git repository. */
  readonly commitOnFinalize: boolean;
  /** The last decision finalizes, with a commit. */
  readonly autoSync: boolean;
  /** Finalizing what came from a jj sandbox folds its change into the target's, and pushes that. */
  readonly jjFinalize: 'none' | 'squash' | 'push';
}

export const DEFAULT_SETTINGS: ReviewSettings = {
  revertOnReject: true,
  stageOnAccept: false,
  commitOnFinalize: false,
  autoSync: false,
  jjFinalize: 'none',
};
