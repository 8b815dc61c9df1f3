/** The shape of a row of the key table. Screens name the contexts in which their keys are valid. */

export interface Binding {
  readonly action: string;
  /** Where the key is valid. Several may be active at once: `keymap.ts` tries them from the narrowest to the widest. */
  readonly contexts: readonly string[];
  /** Default chords; several are alternatives. */
  readonly keys: readonly string[];
  /** One or two words for the footer; the order of the table is the order there. */
  readonly footer?: string;
  /** One sentence for help, palette and documentation. */
  readonly help: string;
}

/** How the help and the documentation name contexts. */
export type ContextTitles = Readonly<Record<string, string>>;
