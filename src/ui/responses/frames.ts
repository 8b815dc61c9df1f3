/** The current size of list, response and draft, for movement and drawing. */

import type { Turn } from '../../protocol/turn.ts';
import { areaOf, GUTTER_CELLS, type Region } from '../kit/layout.ts';
import { layOutNotes } from './answer-notes.ts';
import { noteCount } from './draft-state.ts';
import { layoutResponses, type ResponsesLayout } from './layout.ts';
import type { ResponsesFacts, ResponsesModel } from './model.ts';
import type { ReadingFrame } from './reading.ts';

/** The Responses screen's regions, in all or part of its area. */
export function responsesLayout(
  state: ResponsesModel,
  facts: ResponsesFacts,
  area = areaOf(state.size),
): ResponsesLayout {
  const { focus, lower } = state.responses;
  const { length } = facts.view.turns;
  return layoutResponses(area, { focus, lower, turns: length, isDraftOpen: isDraftOpen(state) });
}

/** Whether the draft has its own pane: the user opened it, or has earlier notes and did not close it. */
export function isDraftOpen({ responses, draft }: ResponsesModel): boolean {
  return responses.isDraftOpen ?? noteCount(draft) > 0;
}

/** Whether the draft is visible, so that its notes are shown there and not in the response. */
export const isDraftSeen = ({ draft }: ResponsesLayout): boolean => draft !== null && draft.rows > 0;

/** Where the lower pane would be if it is not visible now. */
function fallback(layout: ResponsesLayout, state: ResponsesModel): Region {
  return (
    layout.reading ?? layout.draft ?? layout.list ?? { x: 0, y: 0, columns: state.size.columns, rows: 1 }
  );
}

/** The response in its region, with its notes if they are shown there. */
export function readingFrame(state: ResponsesModel, facts: ResponsesFacts, turn: Turn): ReadingFrame {
  const layout = responsesLayout(state, facts);
  const region = layout.reading ?? fallback(layout, state);
  return {
    doc: facts.docs(turn, state.responses.form, isDraftSeen(layout) ? undefined : state.draft.draft),
    ...layOutNotes(facts.spansAt(textWidth(region)), facts.spansAt(draftWidth(region))),
    height: Math.max(1, region.rows),
  };
}

const textWidth = (region: Region): number => Math.max(1, region.columns - GUTTER_CELLS);

/** Rows of the list in view. */
export function listHeight(state: ResponsesModel, facts: ResponsesFacts): number {
  return responsesLayout(state, facts).list?.rows ?? Math.max(1, areaOf(state.size).rows - 1);
}

/** Text cells in the draft: one fewer, for a cursor after the last character. */
export const draftWidth = (region: Region): number => Math.max(1, textWidth(region) - 1);

/** The draft's region, or where it would be. */
export function draftRegion(state: ResponsesModel, facts: ResponsesFacts): Region {
  const layout = responsesLayout(state, facts);
  return layout.draft ?? fallback(layout, state);
}
