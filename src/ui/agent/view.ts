/** The Agent screen: the list of sessions, or one conversation with its context rows and the text box. Pure. */
import { estimateTokens } from '../../lib/token-estimate.ts';
import type { ContextRow } from '../../protocol/agent.ts';
import { editorSpans, planEditor } from '../kit/editor.ts';
import { listTop } from '../kit/list.ts';
import { planMenu } from '../kit/menu.ts';
import { type Pane, type Panes, widePane } from '../kit/pane.ts';
import { foreign, type Row, rowWidth, type Size, type Span, span, spread } from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import { tallyRow } from '../kit/tally.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count, formatAge, formatMoment } from '../kit/time.ts';
import type { ChatRow } from './chat-rows.ts';
import { diffRole } from './diff-card.ts';
import { planNoSession } from './empty.ts';
import type { ChatEntry } from './entries.ts';
import { type AgentFrame, agentFrame } from './frame.ts';
import type { AgentFacts, AgentModel } from './model.ts';
import type { AgentSessionEntry } from './port.ts';
import { askingJob, liveJob, markedSession } from './state.ts';

/** `list`: the sessions, if none is open. */
export type AgentPanes = Panes<'list' | 'chat' | 'context' | 'box'>;

const NOTHING: AgentPanes = { list: null, chat: null, context: null, box: null };

/** The panes that fit. */
export function planAgent(state: AgentModel, facts: AgentFacts, area: Size, theme: Theme): AgentPanes {
  const frame = agentFrame(state, facts, area);
  const drawn = { state, facts, theme };
  return frame === null ? planList(drawn, area) : planOpen(frame, drawn, area);
}

/** What the panes show, and how. */
interface Drawn {
  readonly state: AgentModel;
  readonly facts: AgentFacts;
  readonly theme: Theme;
}

function planList({ state, facts, theme }: Drawn, area: Size): AgentPanes {
  const { sessions } = facts.agent;
  const remark: Row = sessions.length === 0 ? [] : [span(count(sessions.length, 'session'), 'dim')];
  const head = planRule([span('Agent', 'title')], remark, area.columns, theme, true);
  const inner: Size = { columns: area.columns, rows: area.rows - 1 };
  const entries = sessions.map((session) => ({
    left: [span(`${formatMoment(session.updated_at, facts.now)}  `, 'dim'), foreign(titleOf(session))],
    right: stateWords(session),
  }));
  const rows =
    sessions.length === 0
      ? [[], ...planNoSession(facts, inner.columns)]
      : planMenu(entries, markedSession(state.agent, sessions), inner, theme);
  return { ...NOTHING, list: widePane(0, inner, { head, rows }) };
}

const titleOf = ({ title }: AgentSessionEntry): string => (title === '' ? '(nothing asked yet)' : title);

/** What about a session needs attention: its last job, otherwise what earlier jobs left open. */
function stateWords({ last_job_status: status, pending_review: pending }: AgentSessionEntry): Row {
  if (status === 'waiting_for_user') return [span('asks you', 'waiting')];
  if (status === 'running' || status === 'queued') return [span('working', 'working')];
  if (pending !== null && pending.undecided > 0) {
    return [span(`${pending.undecided} to decide`, 'waiting')];
  }
  const unsaved = pending?.unsaved_files.length ?? 0;
  if (unsaved > 0) return [span(`${unsaved} unsaved`, 'warn')];
  return status === 'failed' ? [span('failed', 'dim')] : [];
}

function planOpen(frame: AgentFrame, drawn: Drawn, { columns }: Size): AgentPanes {
  const { agent } = drawn.state;
  const { theme } = drawn;
  const { session, rows: context, rowsShown, chatRows } = frame;
  const name = session === null ? 'new session' : titleOf(session);
  const title: Row = [span('Agent ', 'title'), foreign(name)];
  const remark = session === null ? [] : stateWords(session);
  const contextRule = () =>
    planRule([span('Context', 'title')], contextRemark(context), columns, theme, agent.focus === 'rows');
  const below = 1 + chatRows;
  const size = { columns, rows: rowsShown };
  return {
    ...NOTHING,
    chat: widePane(
      0,
      { columns, rows: chatRows },
      {
        head: planRule(title, remark, columns, theme, agent.focus === 'chat'),
        rows: planChat(frame, drawn, columns),
      },
    ),
    context:
      rowsShown === 0
        ? null
        : widePane(below, size, { head: contextRule(), rows: planContext(context, drawn, size) }),
    box: planBox(frame, drawn, { columns, y: below + (rowsShown === 0 ? 0 : rowsShown + 1) }),
  };
}

/** The text box, with offered files above the text. */
function planBox(
  frame: AgentFrame,
  drawn: Drawn,
  { columns, y }: { readonly columns: number; readonly y: number },
): Pane {
  const { state, facts, theme } = drawn;
  const { agent } = state;
  const { editorRows, completionRows } = frame;
  const editor = planEditor(agent.editor, editorSpans(columns, facts), { columns, height: editorRows });
  const isFocused = agent.focus === 'write';
  const head = planRule([span(boxTitle(facts), 'title')], boxRemark(state), columns, theme, isFocused);
  const rows = [
    ...planCompletion(frame, drawn, columns),
    ...(isEmpty(state) ? [hintRow(facts)] : editor.rows),
  ];
  return {
    ...widePane(y, { columns, rows: completionRows + editorRows }, { head, rows }),
    cursor: isFocused ? { x: editor.cursor.x, y: completionRows + editor.cursor.y } : null,
  };
}

function isEmpty({ agent }: AgentModel): boolean {
  return agent.focus !== 'write' && agent.editor.draft.lines.every(({ text }) => text === '');
}

function hintRow(facts: AgentFacts): Row {
  const { notReady } = facts.agent;
  if (notReady !== null) return [span('  '), foreign(`${notReady.message} ${notReady.hint ?? ''}`, 'warn')];
  return [span('  '), span('i to write, @ names a file, /map FILE outlines one', 'dim')];
}

const boxTitle = (facts: AgentFacts): string => (askingJob(facts.agent) === null ? 'Instruction' : 'Answer');

function boxRemark({ agent }: AgentModel): Row {
  return agent.confirmBeforeEdits ? [span('asks before edits', 'waiting')] : [];
}

function planChat(frame: AgentFrame, drawn: Drawn, columns: number): readonly Row[] {
  const { state, facts } = drawn;
  const { chat, top, chatRows } = frame;
  const live = liveJob(facts.agent);
  const status: readonly Row[] =
    live === null || frame.session === null || live.status === 'waiting_for_user'
      ? []
      : [
          [
            span('  working', 'working'),
            span(` ${formatAge(facts.now - (live.started_at ?? live.created_at))}`, 'dim'),
          ],
        ];
  if (chat.rows.length === 0) {
    return status.length > 0 ? status : [[], ...planNoSession(facts, columns)];
  }
  const height = chatRows - status.length;
  const first = state.agent.entry === null ? Math.max(0, chat.rows.length - height) : top;
  const shown = chat.rows.slice(first, first + height);
  return [...shown.map((row) => planChatRow(row, frame, drawn, columns)), ...status];
}

/** A card's remark; without one, how to open it. */
function remarkOf({ kind, remark }: ChatEntry, facts: AgentFacts): Row {
  if (kind !== 'card' || remark.length > 0) return remark;
  return [span(facts.keyOf('agent/toggle', ['agent-chat']) ?? '', 'dim')];
}

function planChatRow(row: ChatRow, frame: AgentFrame, { state, facts, theme }: Drawn, columns: number): Row {
  const { entry } = row;
  const isMarked = state.agent.focus === 'chat' && frame.marked?.id === entry.id;
  if (row.kind === 'gap') return [];
  const bar: Span = span(isMarked ? theme.glyphs.bar : ' ', 'rule-active');
  if (row.kind === 'text')
    return [
      theme.options.plain ? span('  ') : bar,
      span(' '),
      foreign(row.text, entry.kind !== 'card' ? entry.role : entry.isDiff ? diffRole(row.text) : 'dim'),
    ];
  if (entry.kind === 'card' || entry.kind === 'proposal') {
    const isOpen = state.agent.opened.has(entry.id);
    const hasBody = entry.kind === 'card' && entry.lines.length > 0;
    const remark = entry.tally === null ? remarkOf(entry, facts) : tallyRow(entry.tally, theme, 'nonzero');
    return planCard({ title: entry.title, remark, isOpen, hasBody, isMarked }, columns, theme);
  }
  return spread([bar, span(' '), ...entry.title], entry.remark, columns, theme);
}

function contextRemark(rows: readonly ContextRow[]): Row {
  const tokens = rows.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return [span(`${count(rows.length, 'row')}, ${tokenWords(tokens)} tokens`, 'dim')];
}

/** `~900`, `~1.2k`: an estimate, so few digits. */
function tokenWords(tokens: number): string {
  return tokens < 1000 ? `~${tokens}` : `~${(tokens / 1000).toFixed(1)}k`;
}

function planContext(rows: readonly ContextRow[], { state, theme }: Drawn, size: Size): readonly Row[] {
  const marked = state.agent.focus === 'rows' ? state.agent.row : -1;
  const top = listTop(0, Math.max(0, marked), rows.length, size.rows);
  return rows.slice(top, top + size.rows).map((row, index) => {
    const isMarked = top + index === marked;
    return spread(
      [
        span(`${isMarked ? theme.glyphs.pointer : ' '} `, 'rule-active'),
        span(`${row.kind} `, 'key'),
        foreign(rowWords(row), isMarked ? 'selected' : 'text'),
      ],
      [
        ...(row.pinned ? [span('pinned ', 'ok')] : []),
        span(`${tokenWords(estimateTokens(row.content))} `, 'dim'),
      ],
      size.columns,
      theme,
    );
  });
}

/** What a row is about: its file and lines, a diff's size, otherwise its beginning. */
function rowWords({ kind, file_path, start_line, end_line, content }: ContextRow): string {
  if (file_path !== null) {
    return start_line === null ? file_path : `${file_path}:${start_line}-${end_line ?? start_line}`;
  }
  if (kind === 'diff') return count(content.match(/^diff --git /gm)?.length ?? 0, 'file');
  return content.split('\n', 1)[0] ?? '';
}

function planCompletion(frame: AgentFrame, { state, theme }: Drawn, columns: number): readonly Row[] {
  const { completion } = state.agent;
  if (completion === null || frame.completionRows === 0) return [];
  return planMenu(
    completion.files.map((file) => ({ left: [span('@', 'dim'), foreign(file)], right: [] })),
    completion.cursor,
    { columns, rows: frame.completionRows },
    theme,
  );
}

/** Replaces the bars between facts with commas, because screen readers read bars aloud. */
const withoutBars = ({ text, role }: Span): Span => span(text.replaceAll(' │ ', ', '), role);

/** Mark, sign and blank before the title. */
const SIGN_CELLS = 4;
/** Least cells of a title that is cut to make room for its remark. */
const TITLE_MIN_CELLS = 20;

interface Card {
  readonly title: Row;
  /** The text at the right edge. */
  readonly remark: Row;
  readonly isOpen: boolean;
  /** Whether it can be opened. */
  readonly hasBody: boolean;
  readonly isMarked: boolean;
}

/** A card's single row; the caller draws its body if it is open. */
function planCard(card: Card, columns: number, theme: Theme): Row {
  const { title, remark, isOpen, hasBody, isMarked } = card;
  if (theme.options.plain) {
    const state = hasBody ? (isOpen ? ' (open)' : ' (closed)') : '';
    const named = spread([span(isMarked ? '> ' : '  '), ...title.map(withoutBars)], remark, columns, theme);
    return [...named, span(state)];
  }
  const sign = hasBody ? (isOpen ? theme.glyphs.opened : theme.glyphs.closed) : theme.glyphs.separator;
  const shown = isMarked
    ? title.map((part) => (part.role === 'text' ? span(part.text, 'selected') : part))
    : title;
  const edge: Row = remark.length === 0 ? [] : [...remark, span(' ')];
  const room = columns - rowWidth(edge) - SIGN_CELLS;
  // The kind has priority over the amount.
  const isTight = room < Math.min(rowWidth(title), TITLE_MIN_CELLS);
  return spread(
    [span(`${isMarked ? theme.glyphs.bar : ' '}`, 'rule-active'), span(`${sign} `, 'dim'), ...shown],
    isTight ? [] : edge,
    columns,
    theme,
  );
}
