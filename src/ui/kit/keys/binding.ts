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

/** Default chords (several are alternatives), the sentence for the help, and the word in the footer. */
type KeyRow = readonly [keys: string | readonly string[], help: string, footer?: string];

/** Rows that are valid in `contexts`, by action. Their order is the order of the footer. */
export function keysIn<A extends string>(
  contexts: readonly string[],
  rows: Readonly<Record<A, KeyRow>>,
): readonly (Binding & { readonly action: A })[] {
  return Object.entries<KeyRow>(rows).map(([action, [keys, help, footer]]) => ({
    action: action as A,
    contexts,
    keys: typeof keys === 'string' ? [keys] : keys,
    help,
    ...(footer === undefined ? {} : { footer }),
  }));
}

/** How the help and the documentation name contexts. */
export type ContextTitles = Readonly<Record<string, string>>;
