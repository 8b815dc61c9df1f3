/** The Responses screen's interface to the application. */
import type { Dialog } from '../../protocol/dialog.ts';
import { areaOf } from '../kit/layout.ts';
import { listTop } from '../kit/list.ts';
import { type Extent, type OverlayView, panelView, scrolledPanel } from '../kit/overlay.ts';
import { type Size, span } from '../kit/row.ts';
import type { Screen } from '../kit/screen.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { answerCommands, markByNumber, NOT_DRAWN, settleAnswer } from './answer-commands.ts';
import { planAnswer } from './answer-view.ts';
import { planCode } from './code-menu.ts';
import { draftCommands, draftVisualCommands, typeInDraft } from './draft-commands.ts';
import { settleDraft } from './draft-rows.ts';
import { listHeight, readingFrame } from './frames.ts';
import { insertCommands } from './insert-commands.ts';
import type { ResponsesAction } from './keys.ts';
import { listCommands } from './list-commands.ts';
import {
  done,
  type ResponsesEffect,
  type ResponsesFacts,
  type ResponsesModel,
  type ResponsesOutcome,
  type ResponsesOverlay,
} from './model.ts';
import { leaveDraft, responsesSpot } from './mouse.ts';
import { noteCommands, settleNote } from './note-commands.ts';
import { acceptPrompt, diffCommands, menuCommands } from './overlay-commands.ts';
import { offersSteering, outgoingOf, planPreview } from './preview.ts';
import { previewCommands } from './preview-commands.ts';
import { pullCommands, readingPullCommands } from './pull-commands.ts';
import { settleReading } from './reading.ts';
import { readingCommands, readingVisualCommands } from './reading-commands.ts';
import { previousOf, responseCommands, selectionCommands } from './response-commands.ts';
import { responsesCommands } from './responses-commands.ts';
import { searchCommands } from './search-commands.ts';
import { planSessions, sessionCount } from './sessions.ts';
import { focusOn, placeIn, selectedIndex, selectedTurn, withPlace } from './state.ts';
import { planResponses } from './view.ts';

/** Whether the user is typing text, into the draft or a note between response lines. */
function isWriting({ responses, draft }: ResponsesModel): boolean {
  return draft.mode === 'insert' && responses.focus !== 'list';
}

/** While the user types text, no key is an application command. */
function contextsOf(state: ResponsesModel, { view }: ResponsesFacts): readonly string[] {
  const { responses, draft } = state;
  if (isWriting(state)) return ['insert'];
  switch (responses.focus) {
    case 'list':
      return ['list', 'responses', 'app'];
    case 'reading': {
      const turn = selectedTurn(responses, view.turns);
      const isSelecting = turn !== null && placeIn(responses, turn.id).anchor !== null;
      return isSelecting ? ['reading-visual', 'app'] : ['reading', 'responses', 'app'];
    }
    case 'draft':
      return draft.mode === 'visual' ? ['draft-visual', 'app'] : ['draft', 'responses', 'app'];
  }
}

/** Keeps list, response and draft where the reader was. */
function settle(state: ResponsesModel, facts: ResponsesFacts): ResponsesModel {
  return settleDraft(settleMarkedTurn(settleNote(settleAnswer(state, facts), facts), facts), facts);
}

function settleMarkedTurn(state: ResponsesModel, facts: ResponsesFacts): ResponsesModel {
  const { turns } = facts.view;
  const index = selectedIndex(state.responses, turns);
  const turn = turns[index];
  if (turn === undefined) return state;
  const top = listTop(state.responses.listTop, index, turns.length, listHeight(state, facts));
  const listed = top === state.responses.listTop ? state.responses : { ...state.responses, listTop: top };
  const place = placeIn(listed, turn.id);
  const responses = withPlace(listed, turn.id, settleReading(place, readingFrame(state, facts, turn)));
  return responses === state.responses ? state : { ...state, responses };
}

function typeText(
  state: ResponsesModel,
  facts: ResponsesFacts,
  text: string,
  how: 'type' | 'paste',
): ResponsesOutcome | null {
  const { overlay } = state;
  if (overlay?.kind === 'answer') return how === 'type' ? markByNumber(state, facts, text) : done(state);
  if (overlay !== null) return done(state);
  const takesText = isWriting(state) || (how === 'paste' && state.responses.focus === 'draft');
  return takesText ? typeInDraft(state, text, how) : null;
}

function modeOf(state: ResponsesModel): string | null {
  const { overlay, responses, draft } = state;
  if (overlay !== null || (responses.focus !== 'draft' && !isWriting(state))) return null;
  return { normal: 'NORMAL', insert: 'INSERT', visual: 'SELECT' }[draft.mode];
}

const OVERLAY_CONTEXTS = {
  diff: 'panel',
  code: 'menu',
  sessions: 'menu',
  preview: 'preview',
  answer: 'answer',
  prompt: 'prompt',
  confirm: 'confirm',
} as const;

function extentOf(overlay: ResponsesOverlay, { size }: ResponsesModel, facts: ResponsesFacts): Extent | null {
  const page = Math.max(1, areaOf(size).rows - 1);
  switch (overlay.kind) {
    case 'diff':
      return { total: facts.diffRows(overlay.diff, size.columns).length, page };
    case 'code':
      return { total: overlay.blocks.length, page };
    case 'sessions':
      return { total: sessionCount(overlay, facts), page };
    case 'answer':
    case 'preview':
    case 'prompt':
    case 'confirm':
      return null;
  }
}

function view(
  overlay: ResponsesOverlay,
  state: ResponsesModel,
  facts: ResponsesFacts,
  size: Size,
  theme: Theme,
): OverlayView | null {
  switch (overlay.kind) {
    case 'diff':
      return scrolledPanel(overlay.title, facts.diffRows(overlay.diff, size.columns), overlay.top, size.rows);
    case 'code': {
      const { blocks, cursor } = overlay;
      const remark = [span(`${cursor + 1} of ${blocks.length}`, 'dim')];
      return panelView('Code blocks', planCode(blocks, cursor, size, theme), remark);
    }
    case 'sessions':
      return planSessions(overlay, facts, size, theme);
    case 'answer':
      return answerView(overlay, facts, size, theme);
    case 'preview': {
      const { title, rows, remark } = planPreview(overlay, state, facts, theme);
      return panelView(title, rows, remark);
    }
    case 'prompt':
    case 'confirm':
      return null;
  }
}

const TITLES: Readonly<Record<Dialog['kind'], string>> = {
  plan: 'The AI asks to approve its plan',
  command: 'The AI asks to run a command',
  edit: 'The AI asks to change a file',
  question: 'The AI asks',
  other: 'The AI asks',
};

function answerView(
  { mark, top }: Extract<ResponsesOverlay, { kind: 'answer' }>,
  { view: { status } }: ResponsesFacts,
  size: Size,
  theme: Theme,
): OverlayView {
  const { dialog } = status;
  const { rows } =
    dialog === null
      ? { rows: [[span(`  ${NOT_DRAWN}.`, 'dim')]] }
      : planAnswer(dialog, mark, size.columns, theme);
  return { ...scrolledPanel(TITLES[dialog?.kind ?? 'other'], rows, top, size.rows), isSheet: true };
}

const hasTurns = (_: ResponsesModel, { view: { turns } }: ResponsesFacts) => turns.length > 0;
const hasBlocks = ({ overlay }: ResponsesModel) => overlay?.kind === 'code';
const inBoth = { ...responsesCommands, ...responseCommands, ...pullCommands };

export const responsesScreen: Screen<
  ResponsesAction,
  ResponsesModel,
  ResponsesFacts,
  ResponsesEffect,
  ResponsesOverlay
> = {
  tables: {
    responses: responsesCommands,
    list: { ...inBoth, ...searchCommands, ...listCommands },
    reading: {
      ...inBoth,
      ...readingPullCommands,
      ...searchCommands,
      ...readingCommands,
      ...noteCommands,
      'edit/undo': draftCommands['edit/undo'],
      'edit/redo': draftCommands['edit/redo'],
    },
    'reading-visual': {
      ...responsesCommands,
      ...pullCommands,
      ...readingVisualCommands,
      ...selectionCommands,
    },
    draft: { ...responsesCommands, ...pullCommands, ...searchCommands, ...draftCommands },
    'draft-visual': { ...responsesCommands, ...draftVisualCommands },
    insert: insertCommands,
    preview: previewCommands,
    answer: answerCommands,
    menu: menuCommands,
    panel: diffCommands,
    prompt: { 'prompt/accept': acceptPrompt },
  },
  contextsOf,
  plan: planResponses,
  settle,
  spotAt: responsesSpot,
  typeText,
  back: (state, { view }) =>
    state.responses.focus === 'list'
      ? null
      : { ...state, responses: focusOn(state.responses, 'list', view.turns) },
  leave: leaveDraft,
  modeOf,
  isUseful: {
    'response/pull': hasTurns,
    'response/changes': (state, { view }) => {
      const turn = selectedTurn(state.responses, view.turns);
      return turn !== null && (view.changes.figures.get(turn.id)?.files ?? 0) > 0;
    },
    'response/go-back': hasTurns,
    'pane/answer': (_, { view }) => view.status.dialog !== null && view.status.dialog.options.length > 0,
    'preview/steer': (_, facts) => offersSteering(facts),
    'answer/choose': (_, { view }) => (view.status.dialog?.options.length ?? 0) > 0,
    'response/code': (state, { view }) =>
      /```|~~~/.test(selectedTurn(state.responses, view.turns)?.response ?? ''),
    'response/diff': (state, { view }) => {
      const turn = selectedTurn(state.responses, view.turns);
      return turn !== null && previousOf(turn, view.turns) !== null;
    },
    // From the draft, where `d` deletes, to the list, where it opens the changes.
    'focus/back': ({ responses }, { view }) => responses.focus === 'draft' && view.changes.unseen > 0,
    'list/open': hasTurns,
    'sessions/open': (_, { view }) => view.turns.length === 0 || view.past !== null,
    'sessions/search': ({ overlay }) => overlay?.kind === 'sessions',
    'code/save': hasBlocks,
    'code/review': hasBlocks,
    'preview/toggle': (state, facts) =>
      state.overlay?.kind === 'preview' && outgoingOf(state.overlay, state, facts).open.length > 0,
    copy: ({ overlay }) => overlay?.kind === 'diff',
  },
  overlays: {
    kinds: ['diff', 'code', 'sessions', 'preview', 'answer'],
    contextOf: ({ kind }) => OVERLAY_CONTEXTS[kind],
    extentOf,
    view,
  },
};
