/** Makes the edit between two versions of a draft, whose size depends on the change, not on the draft. */
import type { Draft, DraftEdit, DraftLine } from '../../protocol/draft.ts';

/** The edit from `before` to `after`. Compares lines by identity first: untouched ones are the same objects. */
export function editBetween(before: Draft, after: Draft): DraftEdit {
  const [old, updated] = [before.lines, after.lines];
  const shorter = Math.min(old.length, updated.length);
  let from = 0;
  while (from < shorter && isSameLine(old[from], updated[from])) from += 1;
  let kept = 0;
  while (kept < shorter - from && isSameLine(old[old.length - 1 - kept], updated[updated.length - 1 - kept]))
    kept += 1;
  return {
    from,
    remove: old.length - from - kept,
    lines: updated.slice(from, updated.length - kept),
    nextLineId: after.nextLineId,
    pulls: pullsBetween(before, after),
  };
}

function isSameLine(a: DraftLine | undefined, b: DraftLine | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  return (
    a.id === b.id &&
    a.text === b.text &&
    a.tag === b.tag &&
    a.changed === b.changed &&
    a.origin?.row === b.origin?.row &&
    a.origin?.turnId === b.origin?.turnId
  );
}

/** A kept pull is identified by its index, since its text was sent before. */
function pullsBetween(before: Draft, after: Draft): DraftEdit['pulls'] {
  if (before.pulls === after.pulls) return null;
  const places = after.pulls.map((pull) => {
    const at = before.pulls.findIndex((known) => known === pull || isSamePull(known, pull));
    return at === -1 ? pull : at;
  });
  const isSame = places.length === before.pulls.length && places.every((place, index) => place === index);
  return isSame ? null : places;
}

function isSamePull(a: Draft['pulls'][number], b: Draft['pulls'][number]): boolean {
  return (
    a.turnId === b.turnId &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, index) => line === b.lines[index])
  );
}
