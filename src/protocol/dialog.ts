/**
 * What an AI CLI asks its user: a permission, a question, a plan to approve. Types only: `Choice` is what the screen
 * shows, `AskedCall` what the program's own data says, `Dialog` both together.
 */

/** One answer that can be given. */
export interface DialogOption {
  /** Whole: rows that the CLI broke are joined. */
  readonly label: string;
  /** What stands below it; empty for nothing. */
  readonly description: string;
  /** A box to check, and whether it is checked; null for an answer that is taken at once. */
  readonly checked: boolean | null;
  /** Words of one's own are typed here. */
  readonly takesText: boolean;
  /** No answer: choosing it shows more of them, or goes on to what comes after those that are checked. */
  readonly leads: 'up' | 'down' | 'on' | null;
}

/** An open dialog as its screen shows it. */
export interface Choice {
  /** What is asked, without the answers. */
  readonly question: string;
  /** None: it cannot be answered from here. */
  readonly options: readonly DialogOption[];
  /** Which option Enter takes now; null when the screen does not show it. */
  readonly pointed: number | null;
  /** How another option is reached: the pointer goes down or to the right, or a letter is typed. */
  readonly keys: 'down' | 'right' | 'letter';
}

/** One question of a call that asks several. */
export interface AskedQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

/** A call of a tool that has no result yet, from the session file: what a dialog may be about. */
export type AskedCall =
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'command'; readonly text: string; readonly reason: string }
  /** `text`: the lines that go, with `-`, and those that come, with `+`. */
  | { readonly kind: 'edit'; readonly path: string; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly AskedQuestion[] };

/** A dialog with all that is known about it. */
export interface Dialog {
  readonly kind: 'plan' | 'command' | 'edit' | 'question' | 'other';
  /** What is asked, with the whole plan, command or change that is to be allowed. */
  readonly question: string;
  /** Where the plan, the command, the change or the descriptions were read. */
  readonly source: 'transcript' | 'screen';
  readonly options: readonly DialogOption[];
  /** As it was read off the screen: what is still there when an answer is given. */
  readonly seen: Choice;
}
