/** What an AI CLI asks. `Choice`: from the screen; `AskedCall`: from the program's data; `Dialog`: from both. */

/** One possible answer. */
export interface DialogOption {
  /** The whole label, with wrapped rows joined. */
  readonly label: string;
  /** The text below it; may be empty. */
  readonly description: string;
  /** Whether its box is checked; null for an answer without a box. */
  readonly checked: boolean | null;
  readonly takesText: boolean;
  /** Not an answer: shows more answers, or continues with the checked ones. */
  readonly leads: 'up' | 'down' | 'on' | null;
}

/** An open dialog as shown on the screen. */
export interface Choice {
  /** The question without the answers. */
  readonly question: string;
  /** Empty: it cannot be answered from here. */
  readonly options: readonly DialogOption[];
  /** The option that Enter selects now; null if the screen does not show it. */
  readonly pointed: number | null;
  /** How to reach another option: move the pointer down or right, or type a letter. */
  readonly keys: 'down' | 'right' | 'letter';
}

export interface AskedQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

/** A tool call without a result yet, from the session file or a hook. A dialog may be about it. */
export type AskedCall =
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'command'; readonly text: string; readonly reason: string }
  /** `text`: removed lines begin with `-`, added ones with `+`. */
  | { readonly kind: 'edit'; readonly path: string; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly AskedQuestion[] };

export interface Dialog {
  readonly kind: 'plan' | 'command' | 'edit' | 'question' | 'other';
  /** The question, with the whole plan, command or change to be allowed. */
  readonly question: string;
  /**
   * The program shows only part of it and no data has the rest: none yet, because its hook has reported nothing so far,
   * or none will come. Null: this is all of it.
   */
  readonly folded: 'unhooked' | 'untold' | null;
  /** The source of the plan, command, change or descriptions. */
  readonly source: 'transcript' | 'screen';
  readonly options: readonly DialogOption[];
  /** As read from the screen. It must still be there when the answer is given. */
  readonly seen: Choice;
}
