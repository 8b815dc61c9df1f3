/** The Shell screen: whether completions run, what they did lately, and why. Pure. */
import type { AnsweredRequest, CompletionStatus } from '../../protocol/shell.ts';
import { areaOf, type Region } from '../kit/layout.ts';
import { type Pane, type Panes, widePane } from '../kit/pane.ts';
import { foreign, type Row, type Size, span } from '../kit/row.ts';
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

/** On a low screen only the first facts are shown: the requests matter more. */
const FACTS_MIN_ROWS = 2;

const PRIVACY = ' Private mode: no shell gets answers, nothing is learned or kept';
const PRIVACY_IN_SHORT = ' Private: nothing is answered or kept';
const PRIVACY_COLUMNS = PRIVACY.length;

export type ShellPanes = Panes<'facts' | 'sources' | 'list' | 'why'>;

const NOTHING: ShellPanes = { facts: null, sources: null, list: null, why: null };

/** The panes that fit. */
export function planShell(state: ShellModel, facts: ShellFacts, area: Size, theme: Theme): ShellPanes {
  const { columns } = area;
  const status = runningStatus(facts.shell);
  const head = planRule([span('Shell', 'title')], remarkOf(facts), columns, theme, true);
  const inner = { columns, rows: area.rows - 1 };
  const alone = (rows: readonly Row[]): ShellPanes => ({
    ...NOTHING,
    facts: widePane(0, inner, { head, rows }),
  });
  if (status === null) return alone([[], ...planNoShell(facts, columns)]);
  const privacy: readonly Row[] = status.isPrivate
    ? [[span(columns < PRIVACY_COLUMNS ? PRIVACY_IN_SHORT : PRIVACY, 'waiting')]]
    : [];
  if (status.recent.length === 0 && status.requests === 0)
    return alone([...privacy, [], ...planNobodyAsked(status, facts, columns)]);
  const { layout, facts: factRows } = partsOf(state, status, area, theme.options.plain);
  const { sourceRows } = layout;
  const factLines = planShellFacts(status, sourceRows > 0, columns, theme).slice(0, factRows);
  const top = { columns, rows: privacy.length + factRows };
  return {
    ...lowerPanes(layout, state, status, theme),
    facts: widePane(0, top, { head, rows: [...privacy, ...factLines] }),
    sources:
      sourceRows === 0
        ? null
        : widePane(
            1 + top.rows,
            { columns, rows: sourceRows },
            {
              head: planRule([span('Where rows come from', 'title')], [], columns, theme, false),
              rows: planShellSources(status, sourceRows, columns, theme),
            },
          ),
  };
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

/** The layout, for drawing and for movement. */
function partsOf(
  state: ShellModel,
  status: CompletionStatus,
  area: Size,
  isPlain: boolean,
): { readonly layout: ShellLayout; readonly facts: number } {
  const most = Math.max(FACTS_MIN_ROWS, Math.floor(area.rows / 3));
  const facts = (hasTable: boolean) => Math.min(most, countFactRows(status, hasTable, area.columns, isPlain));
  const factRows = (hasTable: boolean) => facts(hasTable) + (status.isPrivate ? 1 : 0);
  const reasons = isExplained(state.shell, area) && status.recent.length > 0;
  const sources = sourcesOf(status).length;
  const first = layoutShell(area, factRows(true), sources, reasons);
  const layout = first.sourceRows > 0 ? first : layoutShell(area, factRows(false), 0, reasons);
  return { layout, facts: facts(layout.sourceRows > 0) };
}

function lowerPanes(
  { list, why }: ShellLayout,
  { shell }: ShellModel,
  { recent }: CompletionStatus,
  theme: Theme,
): ShellPanes {
  const marked = markedIndex(shell, recent);
  const request = recent[marked];
  return {
    ...NOTHING,
    list: list === null ? null : listPane(list, { recent, marked, top: shell.top }, theme),
    why: why === null || request === undefined ? null : whyPane(why, request, theme),
  };
}

function listPane(
  region: Region,
  list: { readonly recent: readonly AnsweredRequest[]; readonly marked: number; readonly top: number },
  theme: Theme,
): Pane {
  const { recent, marked } = list;
  const remark: Row = recent.length > region.rows ? [span(`${marked + 1} of ${recent.length}`, 'dim')] : [];
  const head = planRule([span('Asked lately', 'title')], remark, region.columns, theme, true);
  const rows =
    recent.length === 0
      ? [[span(' Nothing is kept', 'dim')]]
      : planShellRequests(list, region.rows, region.columns, theme);
  return { region, head, rows, cursor: null };
}

function whyPane(region: Region, request: AnsweredRequest, theme: Theme): Pane {
  const title: Row = [span('Why', 'title'), foreign(` ${request.input}`, 'strong')];
  const head = planRule(title, [], region.columns, theme, false);
  const rows = planShellReasons(request, region.columns, theme).slice(0, region.rows);
  return { region, head, rows, cursor: null };
}

/** The requests' region in the area; null if something else has their place. */
export function requestsRegion(state: ShellModel, status: CompletionStatus): Region | null {
  return partsOf(state, status, areaOf(state.size), false).layout.list;
}

/** Requests in view at once. Plain mode has an extra row per fact, and scrolls by itself. */
export function requestsInView(state: ShellModel, status: CompletionStatus): number {
  return requestsRegion(state, status)?.rows ?? 1;
}
