/** What an AI CLI asks its user. `Choice`: what the screen shows; `AskedCall`: what the program's data says; `Dialog`: both. */

/** One possible answer. */
export interface DialogOption {
  /** The whole label: wrapped rows are joined. */
  readonly label: string;
  /** The text below it; may be empty. */
  readonly description: string;
  /** Whether its box is checked; null for an answer without a box. */
  readonly checked: boolean | null;
  readonly takesText: boolean;
  /** Not an answer: it shows more answers, or continues with the checked ones. */
  readonly leads: 'up' | 'down' | 'on' | null;
}

/** An open dialog as its screen shows it. */
export interface Choice {
  /** What is asked, without the answers. */
  readonly question: string;
  /** Empty: it cannot be answered from here. */
  readonly options: readonly DialogOption[];
  /** The option that Enter takes now; null when the screen does not show it. */
  readonly pointed: number | null;
  /** How another option is reached: the pointer goes down or to the right, or a letter is typed. */
  readonly keys: 'down' | 'right' | 'letter';
}

export interface AskedQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

/** A call of a tool that has no result yet, from the session file or a hook: what a dialog may be about. */
export type AskedCall =
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'command'; readonly text: string; readonly reason: string }
  /** `text`: removed lines with `-`, added ones with `+`. */
  | { readonly kind: 'edit'; readonly path: string; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly AskedQuestion[] };

export interface Dialog {
  readonly kind: 'plan' | 'command' | 'edit' | 'question' | 'other';
  /** What is asked, with the whole plan, command or change that is to be allowed. */
  readonly question: string;
  /**
   * The program shows a part of it only, and there is no data that has the rest: none yet, as its hook has told nothing
   * at all, or none to come. Null: all of it is here.
   */
  readonly folded: 'unhooked' | 'untold' | null;
  /** Where the plan, the command, the change or the descriptions were read. */
  readonly source: 'transcript' | 'screen';
  readonly options: readonly DialogOption[];
  /** As read from the screen: must still be there when an answer is given. */
  readonly seen: Choice;
}
