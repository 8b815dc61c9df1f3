/** The Review screen without anything to decide: why, and how a suggestion gets here. Pure. */

import { indented, type Row } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import type { ReviewFacts } from './model.ts';

/** How to offer a change. */
export const PUBLISH_LINE = 'copane publish --patch change.diff --description "What it does"';

/** Why there is nothing, and the next step. */
export function planNoSuggestion(facts: ReviewFacts, columns: number): readonly Row[] {
  const { problem, isLooking } = facts.review;
  const prose = (text: string, role: Role = 'dim') => indented(text, columns, role);
  if (problem !== null) {
    return [...prose(problem.message, 'warn'), ...prose(problem.hint ?? '')];
  }
  if (isLooking) return prose('Loading suggestions');
  const copy = facts.keyOf('copy') ?? 'the palette';
  return [
    ...prose(
      `No suggestion is waiting for you. ${facts.keyOf('review/start') ?? 'The palette'} reviews changes of your own: the working tree, what is staged, a branch.`,
    ),
    [],
    ...prose(
      'An AI, an editor or a script offers a change from its own copy of the project, run here or with --target:',
    ),
    [],
    ...prose(PUBLISH_LINE, 'code'),
    [],
    ...prose(
      `${copy} copies the line. The change then appears here, hunk by hunk, and nothing is written before you accept it.`,
    ),
  ];
}
