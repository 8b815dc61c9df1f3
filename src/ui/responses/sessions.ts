/** A menu of the project's earlier sessions: what Enter does, and the rows. Pure. */
import { countAtLeast } from '../../lib/count.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import { type MenuRow, planMenu } from '../kit/menu.ts';
import { menuView, type OverlayView } from '../kit/overlay.ts';
import { foreign, type Row, type Size, span } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { formatMoment } from '../kit/time.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesModel,
  type ResponsesOutcome,
  type ResponsesOverlay,
  say,
} from './model.ts';

export type SessionsOverlay = Extract<ResponsesOverlay, { kind: 'sessions' }>;

/** Below this width, the prompt replaces the program's name. */
const CLI_MIN_COLUMNS = 60;

/** Opens the list, or says that there is nothing to choose. */
export function openSessions(
  state: ResponsesModel,
  facts: ResponsesFacts,
  sessions: readonly PastSession[],
  words: string | null,
): ResponsesOutcome {
  if (sessions.length === 0 && words !== null)
    return say(state, facts, 'warn', `"${words}" is in no session of this project`);
  if (sessions.length === 0 && facts.view.past === null)
    return say(state, facts, 'info', 'This project has no session of an AI CLI yet');
  return done({ ...state, overlay: { kind: 'sessions', sessions, cursor: 0, words } });
}

/** In an earlier session, the first entry leads back to the AI pane. */
const entriesOf = (
  { sessions }: SessionsOverlay,
  { view }: ResponsesFacts,
): readonly (PastSession | null)[] => (view.past === null ? sessions : [null, ...sessions]);

/** The number of entries. */
export function sessionCount(overlay: SessionsOverlay, facts: ResponsesFacts): number {
  return entriesOf(overlay, facts).length;
}

export function chooseSession(
  state: ResponsesModel,
  overlay: SessionsOverlay,
  facts: ResponsesFacts,
): ResponsesOutcome {
  const session = entriesOf(overlay, facts)[overlay.cursor];
  const closed: ResponsesModel = { ...state, overlay: null };
  return session === undefined ? done(closed) : done(closed, { kind: 'open-session', session });
}

/** The list as an overlay. */
export function planSessions(
  overlay: SessionsOverlay,
  facts: ResponsesFacts,
  size: Size,
  theme: Theme,
): OverlayView {
  const entries = entriesOf(overlay, facts);
  const rows = entries.map(
    (session): MenuRow =>
      session === null
        ? { left: [span('Back to the AI pane')], right: [] }
        : {
            left: leftOf(session, facts, size.columns),
            right: [span(countAtLeast(session.answers, 'answer', session.more), 'dim')],
          },
  );
  const title = overlay.words === null ? 'Sessions of this project' : `Sessions with "${overlay.words}"`;
  const menu = { total: entries.length, cursor: overlay.cursor };
  const planned = planMenu(rows, overlay.cursor, { columns: size.columns, rows: size.rows - 1 }, theme);
  return { ...menuView(title, planned, menu), remark: [span(`${entries.length}`, 'dim')] };
}

function leftOf(
  { session, title, changedAt, found }: PastSession,
  facts: ResponsesFacts,
  columns: number,
): Row {
  const isOpen = facts.view.past?.session.path === session.path;
  return [
    span(formatMoment(changedAt, facts.now), 'dim'),
    span('  '),
    ...(columns < CLI_MIN_COLUMNS ? [] : [span(session.cli, 'dim'), span('  ')]),
    title === '' ? span('(prompt not known)', 'dim') : foreign(title, isOpen ? 'selected' : 'text'),
    ...(found === null ? [] : [span('  '), foreign(found.line, 'dim')]),
  ];
}
