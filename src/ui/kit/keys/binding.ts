/** The shape of a key table row. Screens name the contexts in which their keys are valid. */

export interface Binding {
  readonly action: string;
  /** Contexts in which the key is valid. Several may be active at once: `keymap.ts` tries the narrowest first. */
  readonly contexts: readonly string[];
  /** Default chords; any of them works. */
  readonly keys: readonly string[];
  /** One or two words for the footer, which follows the table's order. */
  readonly footer?: string;
  /** One sentence for help, palette and documentation. */
  readonly help: string;
}

/** Default chords (any of them works), the help sentence, and the footer word. */
type KeyRow = readonly [keys: string | readonly string[], help: string, footer?: string];

/** Rows valid in `contexts`, by action, in footer order. */
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

/** Context titles for help and documentation. */
export type ContextTitles = Readonly<Record<string, string>>;
