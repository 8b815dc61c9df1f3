/** The text to edit in place of a hunk, and how to interpret the result. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Hunk } from '../../protocol/review.ts';
import type { HunkDoc } from './hunk-doc.ts';
import type { ReviewView } from './port.ts';

export interface Editable {
  readonly text: string;
  /** The text's line, from 1, for the hunk's line at `index`. */
  readonly line: number;
}

/** Replaces bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * The text to edit in a hunk's region: a whole hunk with its context, a part from its first to its last changed line. A
 * hunk in conflict gives the three-way merge with markers; a modified one the reader's text, if known.
 */
export function editableText(
  hunk: Hunk,
  doc: HunkDoc,
  index: number,
  conflict: ReviewView['conflict'],
  edited?: string,
): Result<Editable> {
  if (hunk.status === 'modified' && edited !== undefined) return readable({ text: edited, line: 1 });
  if (hunk.status === 'conflict') {
    if (conflict?.hunk !== hunk.id)
      return fail('refused', 'The conflicting text has not been loaded yet', 'Try again in a moment.');
    return readable({ text: conflict.sides.merged, line: 1 });
  }
  if (doc.ranges === '') {
    return fail('invalid', `A ${hunk.kind} has no lines to edit`, 'Accept or reject it as it is.');
  }
  // Surroundings and a modified version do not belong to the hunk.
  const own = doc.lines.slice(doc.own.from, doc.own.from + doc.own.count);
  const isChanged = ({ op }: HunkDoc['lines'][number]) => op !== 'same';
  const first = hunk.parent === null ? 0 : own.findIndex(isChanged);
  const last = hunk.parent === null ? own.length - 1 : own.findLastIndex(isChanged);
  let text = '';
  let line = 1;
  for (let at = first; at <= last; at += 1) {
    const entry = own[at];
    if (entry === undefined || entry.op === 'removed') continue;
    if (at < index - doc.own.from) line += 1;
    text += entry.isOpenEnd ? entry.text : `${entry.text}\n`;
  }
  return readable({ text, line });
}

function readable(editable: Editable): Result<Editable> {
  return editable.text.includes(REPLACEMENT)
    ? fail(
        'refused',
        'It contains bytes that are not UTF-8; an editor would change them',
        'Accept or reject it.',
      )
    : ok(editable);
}

/** The edited text with the original line end at its end: editors may add or remove one. */
export function withEndOf(before: string, edited: string): string {
  if (edited === '' || before === '') return edited;
  if (before.endsWith('\n') && !edited.endsWith('\n')) return `${edited}\n`;
  if (!before.endsWith('\n') && edited.endsWith('\n')) return edited.slice(0, -1);
  return edited;
}
