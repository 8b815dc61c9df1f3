/** The Agent screen's layout at a size: chat, context rows, and the text box. Pure. */
import type { AgentSession, ContextRow } from '../../protocol/agent.ts';
import { editorRowCount, editorSpans } from '../kit/editor.ts';
import { GUTTER_CELLS } from '../kit/layout.ts';
import type { Size } from '../kit/row.ts';
import type { ChatLayout } from './chat-rows.ts';
import type { ChatEntry } from './entries.ts';
import type { AgentFacts, AgentModel } from './model.ts';
import { type AgentState, contextRows, openSession } from './state.ts';

/** Rows of the box without its rule. */
const EDITOR_MIN_ROWS = 1;
const EDITOR_MAX_ROWS = 8;
/** Context rows in view while another part has the focus. */
const ROWS_SHOWN = 3;
const ROWS_FOCUSED = 8;
/** Least rows of the chat. */
const CHAT_MIN_ROWS = 3;
/** Most files offered at a time. */
const COMPLETION_MAX_ROWS = 5;

export interface AgentFrame {
  readonly session: AgentSession | null;
  readonly entries: readonly ChatEntry[];
  readonly chat: ChatLayout;
  readonly chatRows: number;
  /** First row of the chat in view. */
  readonly top: number;
  readonly marked: ChatEntry | null;
  readonly rows: readonly ContextRow[];
  /** Context rows in view; 0 if there are none. */
  readonly rowsShown: number;
  readonly editorRows: number;
  readonly completionRows: number;
}

/** The chat with the cards requested in this session, each below its entry or job. */
function withAsked(entries: readonly ChatEntry[], { asked, session }: AgentState): readonly ChatEntry[] {
  const own = asked.filter((one) => one.session === session);
  if (own.length === 0) return entries;
  const isOf = (job: string | null) => (entry: ChatEntry) => job !== null && entry.id.startsWith(`${job} `);
  let shown = entries;
  for (const { afterJob, below, card } of own) {
    const last = shown.findLastIndex((entry) =>
      below === null ? isOf(afterJob)(entry) || entry.id.startsWith(`map ${afterJob} `) : entry.id === below,
    );
    shown = shown.toSpliced(last + 1, 0, card);
  }
  return shown;
}

/** The parts at the terminal's size; null while the list of sessions is shown. */
export function agentFrame(state: AgentModel, facts: AgentFacts, area: Size): AgentFrame | null {
  const { agent } = state;
  if (agent.focus === 'list') return null;
  const session = openSession(agent, facts.agent);
  const written = session === null ? [] : facts.chatEntries(facts.agent, facts.now);
  const entries = withAsked(written, agent);
  const chat = facts.layChat(entries, Math.max(1, area.columns - GUTTER_CELLS), agent.opened);
  const rows = contextRows(agent, facts.agent);
  const most = agent.focus === 'rows' ? ROWS_FOCUSED : ROWS_SHOWN;
  const room = area.rows - 1 - CHAT_MIN_ROWS;
  const editorRows = Math.min(
    Math.max(EDITOR_MIN_ROWS, room - 1),
    editorRowCount(agent.editor, editorSpans(area.columns, facts), {
      least: EDITOR_MIN_ROWS,
      most: EDITOR_MAX_ROWS,
    }),
  );
  const completionRows = Math.min(
    COMPLETION_MAX_ROWS,
    agent.completion?.files.length ?? 0,
    Math.max(0, room - editorRows - 1),
  );
  const rowsShown = Math.max(0, Math.min(rows.length, most, room - editorRows - completionRows - 2));
  const below = editorRows + 1 + completionRows + (rowsShown > 0 ? rowsShown + 1 : 0);
  const chatRows = Math.max(1, area.rows - 1 - below);
  const last = entries.at(-1) ?? null;
  const marked = entries.find(({ id }) => id === agent.entry) ?? last;
  const lastTop = Math.max(0, chat.rows.length - chatRows);
  const top = agent.entry === null ? lastTop : Math.min(agent.top, lastTop);
  return { session, entries, chat, chatRows, top, marked, rows, rowsShown, editorRows, completionRows };
}
