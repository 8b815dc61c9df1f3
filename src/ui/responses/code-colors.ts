/** Syntax colours of code blocks in view, requested after their frame, once a response is complete. */
import { codeBlocks } from '../../responses/core/code-blocks.ts';
import type { ColorSource } from '../kit/color-port.ts';
import type { ReadingDoc, Styled } from './reading-doc.ts';

/** Most blocks of a response to colour, and most characters of each. */
const BLOCKS_MAX = 50;
const BLOCK_MAX_CHARACTERS = 100_000;
/** How long a response is in view before its colours are requested. */
const REST_MS = 40;

/** The styles of code lines, by response line. */
export type CodeStyles = ReadonlyMap<number, readonly Styled[]>;

export interface CodeColors {
  /** Empty if nothing is known yet. */
  readonly of: (doc: ReadingDoc) => CodeStyles;
  /** Sets the response in view, null for none; requests its missing colours once the reader pauses. */
  readonly look: (doc: ReadingDoc | null) => void;
  readonly stop: () => void;
}

const NONE: CodeStyles = new Map();

/** Makes the colour cache. */
export function createCodeColors({ port, clock, onColors }: ColorSource): CodeColors {
  let pending: unknown = null;
  let seen: readonly string[] | null = null;
  const known = new WeakMap<readonly string[], CodeStyles>();
  const work = new AbortController();

  const color = async (doc: ReadingDoc): Promise<void> => {
    const blocks = codeBlocks(doc.source)
      .filter(({ language, text }) => language !== '' && text.length <= BLOCK_MAX_CHARACTERS)
      .slice(0, BLOCKS_MAX);
    const styles = new Map<number, readonly Styled[]>();
    for (const { language, text, start } of blocks) {
      const colored = await port.color({ file: `block.${language}`, texts: [text] }, work.signal);
      if (work.signal.aborted) return;
      const lines = colored.ok ? (colored.value[0] ?? []) : [];
      const texts = text.split('\n');
      lines.forEach((line, at) => {
        const row = start + 1 + at;
        // The indent or quote signs of the list or quote around the block.
        const lead = (doc.raw[row]?.length ?? 0) - (texts[at]?.length ?? 0);
        styles.set(
          row,
          line.map(([from, to, kind]): Styled => [from + lead, to + lead, `syntax-${kind}`]),
        );
      });
    }
    known.set(doc.raw, styles);
    if (styles.size > 0) onColors();
  };

  return {
    of: (doc) => known.get(doc.raw) ?? NONE,
    look: (doc) => {
      if (doc?.raw === seen) return;
      seen = doc?.raw ?? null;
      if (pending !== null) clock.clear(pending);
      pending = null;
      if (doc === null || known.has(doc.raw)) return;
      // A defect in a port reaches the process's own boundary.
      pending = clock.set(() => void color(doc), REST_MS);
    },
    stop: () => {
      if (pending !== null) clock.clear(pending);
      work.abort();
    },
  };
}
