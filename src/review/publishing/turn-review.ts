/** Reviews of what turns of an AI CLI changed: which turns, and what their source notes on hunks. */
import type { Result } from '../../lib/result.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';
import type { Subject } from '../core/change.ts';
import type { SourcedPatch } from '../sources/git-source.ts';

/** Reads what turns changed in the working tree of a folder. */
export type TurnSource = (turns: TurnRange, target: string) => Promise<Result<SourcedPatch>>;

/** The turns that a source names, as they are kept with the suggestion. */
export function turnsOf(source: SuggestionSource): { readonly turns?: TurnRange } {
  if (source.kind !== 'turn') return {};
  const { session, from, to } = source;
  return { turns: { session, from, to } };
}

/** Notes that the source itself has on hunks, by their ids. */
export function notesOfSource(
  subjects: readonly Subject[],
  noteOn: SourcedPatch['noteOn'],
): Readonly<Record<string, string>> {
  if (noteOn === undefined) return {};
  const notes = subjects.flatMap(({ newPath, oldPath, changes }) =>
    changes.flatMap(({ id, hunk }) => {
      const note = hunk === null ? null : noteOn(newPath ?? oldPath ?? '', hunk);
      return note === null ? [] : [[id, note] as const];
    }),
  );
  return Object.fromEntries(notes);
}
