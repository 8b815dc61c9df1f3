/** The Shell screen: whether the completions are alive, what they did lately, and why. Pure. */
import type { AnsweredRequest, CompletionStatus } from '../../protocol/shell.ts';
import { areaOf, type Region } from '../kit/layout.ts';
import type { Picture } from '../kit/model.ts';
import { beside, fillRows, foreign, type Row, type Size, span } from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count } from '../kit/time.ts';
import { planNobodyAsked, planNoShell } from './empty.ts';
import { layoutShell, type ShellLayout } from './layout.ts';
import type { ShellFacts, ShellModel } from './model.ts';
import {
  countFactRows,
  planShellFacts,
  planShellReasons,
  planShellRequests,
  planShellSources,
  sourcesOf,
} from './rows.ts';
import { isExplained, markedIndex, runningStatus } from './state.ts';

/** On a low screen the first facts are all that is said: what was asked is why one looks. */
const FACTS_MIN_ROWS = 2;

const PRIVACY = ' Private: no shell is answered, nothing is learned or kept';
const PRIVACY_IN_SHORT = ' Private: nothing is answered or kept';
const PRIVACY_COLUMNS = PRIVACY.length;

/** The rows of the screen area. */
export function planShell(state: ShellModel, facts: ShellFacts, area: Size, theme: Theme): Picture {
  const status = runningStatus(facts.shell);
  const title = planRule([span('Shell', 'title')], remarkOf(facts), area.columns, theme, true);
  if (status === null) return { rows: [title, [], ...planNoShell(facts, area.columns)], cursor: null };
  const privacy: readonly Row[] = status.isPrivate
    ? [[span(area.columns < PRIVACY_COLUMNS ? PRIVACY_IN_SHORT : PRIVACY, 'waiting')]]
    : [];
  if (status.recent.length === 0 && status.requests === 0)
    return {
      rows: [title, ...privacy, [], ...planNobodyAsked(status, facts, area.columns)],
      cursor: null,
    };
  const { layout, facts: factRows, top } = partsOf(state, status, area, theme.options.plain);
  const rows: Row[] = [
    title,
    ...privacy,
    ...planShellFacts(status, layout.sourceRows > 0, area.columns, theme).slice(0, factRows),
    ...(layout.sourceRows === 0
      ? []
      : [
          planRule([span('Where rows come from', 'title')], [], area.columns, theme, false),
          ...planShellSources(status, layout.sourceRows, area.columns, theme),
        ]),
  ];
  return { rows: [...rows, ...lowerRows(layout, top, state, status, area, theme)], cursor: null };
}

function remarkOf({ shell: { shell } }: ShellFacts): Row {
  if (shell?.state !== 'running') return [];
  const { isPrivate, connections } = shell.status;
  if (isPrivate) return [span('private', 'waiting')];
  return [
    span('alive', 'ok'),
    ...(connections === 0 ? [] : [span(`, ${count(connections, 'shell')} typing`, 'dim')]),
  ];
}

/** What stands where; movement needs it too. */
function partsOf(
  state: ShellModel,
  status: CompletionStatus,
  area: Size,
  isPlain: boolean,
): { readonly layout: ShellLayout; readonly facts: number; readonly top: number } {
  const most = Math.max(FACTS_MIN_ROWS, Math.floor(area.rows / 3));
  const facts = (hasTable: boolean) => Math.min(most, countFactRows(status, hasTable, area.columns, isPlain));
  const factRows = (hasTable: boolean) => facts(hasTable) + (status.isPrivate ? 1 : 0);
  const reasons = isExplained(state.shell, area) && status.recent.length > 0;
  const sources = sourcesOf(status).length;
  const first = layoutShell(area, factRows(true), sources, reasons);
  const layout = first.sourceRows > 0 ? first : layoutShell(area, factRows(false), 0, reasons);
  return { layout, facts: facts(layout.sourceRows > 0), top: state.shell.top };
}

function lowerRows(
  layout: ShellLayout,
  top: number,
  state: ShellModel,
  status: CompletionStatus,
  area: Size,
  theme: Theme,
): readonly Row[] {
  const { recent } = status;
  const marked = markedIndex(state.shell, recent);
  const request = recent[marked];
  const list = layout.list === null ? [] : listRows(layout.list, { recent, marked, top }, theme);
  const why = layout.why === null || request === undefined ? [] : reasonRows(layout.why, request, theme);
  if (layout.list !== null && layout.why !== null && layout.why.x > 0) {
    const height = layout.list.rows + 1;
    return beside(fillRows(list, height), why, layout.list.columns, span(theme.glyphs.vertical, 'rule'));
  }
  return [...(layout.list === null ? list : fillRows(list, layout.list.rows + 1)), ...why].slice(
    0,
    area.rows,
  );
}

function listRows(
  region: Region,
  list: { readonly recent: readonly AnsweredRequest[]; readonly marked: number; readonly top: number },
  theme: Theme,
): readonly Row[] {
  const remark: Row =
    list.recent.length > region.rows ? [span(`${list.marked + 1} of ${list.recent.length}`, 'dim')] : [];
  const title: Row = [span('Asked lately', 'title')];
  if (list.recent.length === 0)
    return [planRule(title, [], region.columns, theme, true), [span(' Nothing is kept', 'dim')]];
  return [
    planRule(title, remark, region.columns, theme, true),
    ...planShellRequests(list, region.rows, region.columns, theme),
  ];
}

function reasonRows(region: Region, request: AnsweredRequest, theme: Theme): readonly Row[] {
  const title: Row = [span('Why', 'title'), foreign(` ${request.input}`, 'strong')];
  return [
    planRule(title, [], region.columns, theme, false),
    ...planShellReasons(request, region.columns, theme).slice(0, region.rows),
  ];
}

/** Where the requests stand in the area; null when something else has their place. */
export function requestsRegion(state: ShellModel, status: CompletionStatus): Region | null {
  return partsOf(state, status, areaOf(state.size), false).layout.list;
}

/** How many requests are in view at once. The plain mode has a row more for each fact, and scrolls on its own. */
export function requestsInView(state: ShellModel, status: CompletionStatus): number {
  return requestsRegion(state, status)?.rows ?? 1;
}
