/** The Responses screen: list of turns, marked response, draft. State and data → rows. Pure. */

import { visibleRows } from '../../lib/text-layout.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { AiState } from '../../protocol/pane.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isPromptOf } from '../../responses/core/arrival.ts';
import { GUTTER_CELLS, type Region } from '../kit/layout.ts';
import type { Pane, Panes } from '../kit/pane.ts';
import { type CursorCell, foreign, indented, type Row, type Size, span } from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import { createMatcher } from '../kit/search.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count, formatMoment } from '../kit/time.ts';
import { placeOfNote } from './answer-notes.ts';
import { draftSelection, isEmptyDraft, noteCount } from './draft-state.ts';
import { planDraft } from './draft-view.ts';
import { planEmptyDraft, planEmptyList, planNoResponse, planWriting } from './empty.ts';
import { draftWidth, readingFrame, responsesLayout } from './frames.ts';
import type { Focus } from './layout.ts';
import { aiOf, isBeingWritten, planList, progressOf, type TurnMark } from './list-view.ts';
import type { ResponsesFacts, ResponsesModel } from './model.ts';
import { isWritingInPlace } from './note-commands.ts';
import type { ReadingFrame } from './reading.ts';
import { planReading } from './reading-view.ts';
import { placeIn, type ReadingPlace, selectedIndex, selectedTurn } from './state.ts';

export type ResponsesPanes = Panes<Focus>;

/** The panes that fit. */
export function planResponses(
  state: ResponsesModel,
  facts: ResponsesFacts,
  area: Size,
  theme: Theme,
): ResponsesPanes {
  const layout = responsesLayout(state, facts, area);
  const planned = (focus: Focus): Pane | null => {
    const region = layout[focus];
    if (region === null) return null;
    const { title, remark, rows, cursor } = PLANNERS[focus](state, facts, region, theme);
    const head = planRule(title, remark, region.columns, theme, state.responses.focus === focus);
    return { region, head, rows: rows.slice(0, region.rows), cursor };
  };
  return { list: planned('list'), reading: planned('reading'), draft: planned('draft') };
}

interface PlannedPane extends Pick<Pane, 'rows' | 'cursor'> {
  readonly title: Row;
  readonly remark: Row;
}

type PanePlanner = (
  state: ResponsesModel,
  facts: ResponsesFacts,
  region: Region,
  theme: Theme,
) => PlannedPane;

const PLANNERS: Readonly<Record<Focus, PanePlanner>> = {
  list: planListPane,
  reading: planReadingPane,
  draft: planDraftPane,
};

function planListPane(
  state: ResponsesModel,
  facts: ResponsesFacts,
  region: Region,
  theme: Theme,
): PlannedPane {
  const { turns, problem } = facts.view;
  const selected = selectedIndex(state.responses, turns);
  const remark: Row = turns.length === 0 ? [] : [span(`${selected + 1} of ${turns.length}`, 'dim')];
  const rows =
    turns.length === 0
      ? responsesLayout(state, facts).reading !== null
        ? planEmptyList(facts)
        : planNoResponse(facts, region.columns)
      : planList(
          {
            turns,
            ai: aiOf(facts),
            selected,
            top: state.responses.listTop,
            isFocused: state.responses.focus === 'list',
            now: facts.now,
            linesOf: facts.linesOf,
            changesOf: ({ id }) => {
              const figures = facts.view.changes.figures.get(id);
              return figures === undefined || figures.files === 0 ? null : figures;
            },
            deliveryOf: (turn) => deliveryOf(turn, facts.view.deliveries),
          },
          region.columns,
          region.rows,
          theme,
        );
  const warning: Row =
    turns.length > 0 && problem !== null ? [span('! ', 'warn'), foreign(problem.message, 'warn')] : remark;
  const { past } = facts.view;
  const title: Row =
    past === null
      ? [span('Responses', 'title')]
      : [
          span('Earlier session', 'title'),
          span(` ${past.session.cli}, ${formatMoment(past.changedAt, facts.now)}`, 'warn'),
        ];
  return { title, remark: warning, rows, cursor: null };
}

/** A turn without text: what the AI writes according to its screen, or why there is nothing. */
function planUnanswered(turn: Turn, facts: ResponsesFacts, region: Region, theme: Theme): readonly Row[] {
  const { writing } = facts.view.status;
  if (writing?.turn === turn.id) return planWriting(writing.text, region, theme.options.plain);
  const words = isBeingWritten(turn, aiOf(facts))
    ? 'The AI has not answered yet.'
    : 'This turn has no response.';
  const why = turn.warning === null ? [] : [[], ...indented(turn.warning, region.columns, 'warn')];
  return [[span('  '), span(words, 'dim')], ...why];
}

function planReadingPane(
  state: ResponsesModel,
  facts: ResponsesFacts,
  region: Region,
  theme: Theme,
): PlannedPane {
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null) {
    const { writing } = facts.view.status;
    return {
      title: [span('Response', 'title')],
      remark: [],
      rows:
        writing === null
          ? planNoResponse(facts, region.columns)
          : planWriting(writing.text, region, theme.options.plain),
      cursor: null,
    };
  }
  const frame = readingFrame(state, facts, turn);
  const place = placeIn(state.responses, turn.id);
  const isFocused = state.responses.focus === 'reading';
  const { search } = state.responses;
  const matcher = search !== null && search.where === 'reading' ? createMatcher(search.query) : null;
  const rows =
    turn.response === ''
      ? planUnanswered(turn, facts, region, theme)
      : planReading(
          { frame, place, isFocused, matcher, codeStyles: facts.codeStyles(frame.doc) },
          region.columns,
          theme,
        );
  return {
    title: [
      ...readingTitle(turn, aiOf(facts), facts.linesOf(turn)),
      ...(state.responses.form === 'source' ? [span(' source', 'dim')] : []),
    ],
    remark: readingRemark(turn, { top: place.top.line, height: frame.height, total: facts.linesOf(turn) }),
    rows,
    cursor: isWritingInPlace(state) && state.overlay === null ? cursorOfNote(state, frame, place) : null,
  };
}

/** The terminal's cursor in the note being written. */
function cursorOfNote(
  { draft }: ResponsesModel,
  frame: ReadingFrame,
  { top }: ReadingPlace,
): CursorCell | null {
  const at = placeOfNote(frame.doc, frame, draft.cursor);
  if (at === null) return null;
  const y = visibleRows(frame.doc.lines, frame.spansOf, top, frame.height).findIndex(
    ({ line, row }) => line === at.line && row === at.row,
  );
  return y === -1 ? null : { x: GUTTER_CELLS + at.column, y };
}

function readingTitle(turn: Turn, ai: AiState, lines: number): Row {
  const title: Row = [
    span('Response', 'title'),
    span(` ${count(lines, 'line')}`, 'dim'),
    ...(turn.parts.length > 1 ? [span(`, ${turn.parts.length} parts`, 'dim')] : []),
  ];
  const progress = progressOf(turn, ai);
  return progress === null ? title : [...title, span(` ${progress.word}`, progress.role)];
}

interface Window {
  /** First line in view. */
  readonly top: number;
  readonly height: number;
  readonly total: number;
}

function readingRemark(turn: Turn, { top, height, total }: Window): Row {
  if (turn.warning !== null) return [span('! ', 'warn'), foreign(turn.warning, 'warn')];
  if (turn.reflowed) return [span('read off the screen, lines joined by guess', 'warn')];
  if (total <= height) return [];
  const share = Math.min(100, Math.round(((top + height) / total) * 100));
  return [span(top === 0 ? 'top' : `${share} %`, 'dim')];
}

function planDraftPane(
  state: ResponsesModel,
  facts: ResponsesFacts,
  region: Region,
  theme: Theme,
): PlannedPane {
  const { draft, responses } = state;
  const notes = noteCount(draft);
  const isFocused = responses.focus === 'draft';
  const title: Row = [span('Draft', 'title'), span(notes === 0 ? '' : ` ${count(notes, 'note')}`, 'dim')];
  const remark: Row =
    region.rows === 0
      ? [span(`${facts.keyOf('focus/next') ?? ''} opens it`, 'dim')]
      : state.noteContext === 'bare'
        ? []
        : [span(`context: ${state.noteContext}`, 'dim')];
  if (isEmptyDraft(draft) && !(isFocused && draft.mode === 'insert')) {
    return {
      title,
      remark,
      rows: planEmptyDraft(facts, region.columns),
      cursor: isFocused ? { x: 2, y: 0 } : null,
    };
  }
  const matcher = responses.search?.where === 'draft' ? createMatcher(responses.search.query) : null;
  const planned = planDraft(
    {
      lines: draft.draft.lines,
      spansOf: facts.spansAt(draftWidth(region)),
      top: responses.draftTop,
      cursor: draft.cursor,
      selection: draftSelection(draft),
      isFocused: isFocused && state.overlay === null,
      matcher,
    },
    region,
    theme,
  );
  return { title, remark, ...planned };
}

const WORDS: Readonly<Partial<Record<OutboxEntry['state'], TurnMark>>> = {
  pasted: { word: 'typing', role: 'working' },
  submitted: { word: 'sent', role: 'working' },
  queued: { word: 'queued', role: 'working' },
  staged: { word: 'staged', role: 'warn' },
  unconfirmed: { word: 'unconfirmed', role: 'warn' },
  refused: { word: 'refused', role: 'error' },
};

/** The open state of a turn's prompt; null if it is delivered or was not ours. */
function deliveryOf(turn: Turn, deliveries: readonly OutboxEntry[]): TurnMark | null {
  if (turn.prompt === '') return null;
  const entry = deliveries.find((candidate) => isPromptOf(turn, candidate));
  return entry === undefined ? null : (WORDS[entry.state] ?? null);
}
