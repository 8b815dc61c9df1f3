/** The preview: lines to decide about first, then the message exactly as it goes out, with its size. Pure. */

import { holdsApart, takesNothing } from '../../lib/busy-policy.ts';
import { wantsMarkers } from '../../lib/marker-policy.ts';
import { wrapInMarkers } from '../../lib/markers.ts';
import { rowText, wrapLine } from '../../lib/text-layout.ts';
import { planRefusal } from '../../responses/core/dialog.ts';
import { areaOf } from '../kit/layout.ts';
import { fitRow, foreign, type Row, span, wrapWords } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count } from '../kit/time.ts';
import type { ResponsesFacts, ResponsesModel, ResponsesOverlay } from './model.ts';
import type { Outgoing } from './outgoing.ts';
import { paneKey } from './port.ts';

type Preview = Extract<ResponsesOverlay, { kind: 'preview' }>;

/** The AI works, and its program can both wait with a prompt and break off what is being written. */
export function offersSteering(facts: ResponsesFacts): boolean {
  return facts.view.status.state === 'working' && holdsApart(followedCli(facts));
}

function followedCli({ view }: ResponsesFacts): string {
  return view.panes.find(({ identity }) => paneKey(identity) === view.selected)?.cli ?? '';
}

/** What becomes of the message while the AI works; null when it is at rest. */
function busyWords(steers: boolean, facts: ResponsesFacts): string | null {
  if (facts.view.status.state !== 'working') return null;
  if (takesNothing(followedCli(facts)))
    return 'The AI is working and takes no prompt until it is done: send this then';
  if (!offersSteering(facts)) return 'The AI is working: it takes this when it can, and loses nothing';
  return steers
    ? 'The AI is working: this breaks in now, and what it has written so far is thrown away'
    : 'The AI is working: this waits until it is done';
}

/** What the preview is about. */
export function outgoingOf(overlay: Preview, state: ResponsesModel, facts: ResponsesFacts): Outgoing {
  const { chosen, range } = overlay;
  const wish = { context: state.noteContext, chosen, range, sending: sendingOf(state, facts) };
  return facts.readOutgoing(state.draft.draft, wish);
}

const NOTHING: readonly number[] = [];

/** Lines of this pane's draft that are on their way. */
export function sendingOf(
  { responses: { sending } }: ResponsesModel,
  { view }: ResponsesFacts,
): readonly number[] {
  return sending?.pane === view.selected ? sending.lineIds : NOTHING;
}

/** The message with the marker lines that go out around it. Words in an answer about a plan need none. */
function asTyped(text: string, { view, now }: ResponsesFacts): string {
  const { policy, hasTranscript } = view.markers;
  const isAnswer = planRefusal(view.status.dialog)?.words === 'inside';
  const isMarked = !isAnswer && wantsMarkers(policy, text, hasTranscript);
  return isMarked ? wrapInMarkers(text, new Date(now)) : text;
}

/** Rows of the message; the longest message costs what is seen of it and before it. */
function messageRows(outgoing: Outgoing, columns: number, facts: ResponsesFacts): readonly Row[] {
  if (!outgoing.message.ok) {
    const { message, hint } = outgoing.message.error;
    return [
      [span('  '), foreign(message, 'warn')],
      ...(hint === undefined ? [] : [[span('  '), foreign(hint, 'dim')]]),
    ];
  }
  const width = Math.max(1, columns - 2);
  return asTyped(outgoing.message.value.text, facts)
    .split('\n')
    .flatMap((line) =>
      wrapLine(line, width).map((part): Row => {
        const role = line.startsWith('> ') ? 'response' : 'note';
        return [span('  '), span(rowText(line, part, width), role)];
      }),
    );
}

/** How many rows of message there are and how many are seen: what scrolling needs. */
export function previewExtent(
  overlay: Preview,
  state: ResponsesModel,
  facts: ResponsesFacts,
): { readonly total: number; readonly page: number } {
  const outgoing = outgoingOf(overlay, state, facts);
  const size = areaOf(state.size);
  return {
    total: messageRows(outgoing, size.columns, facts).length,
    page: Math.max(1, size.rows - 1 - decisionRows(outgoing)),
  };
}

/** Rows that the decisions take, their heading and the gap included; at most half of a screen of 24. */
const DECISIONS_MAX_ROWS = 8;

function decisionRows({ open }: Outgoing): number {
  return open.length === 0 ? 0 : Math.min(open.length, DECISIONS_MAX_ROWS) + 2;
}

const indented = (row: Row): Row => [span(' '), ...row];

/** The rows of the preview and the remark in its title. */
export function planPreview(
  overlay: Preview,
  state: ResponsesModel,
  facts: ResponsesFacts,
  theme: Theme,
): { readonly rows: readonly Row[]; readonly remark: Row } {
  const area = areaOf(state.size);
  const size = { columns: area.columns, rows: area.rows - 1 };
  const outgoing = outgoingOf(overlay, state, facts);
  const busy = busyWords(overlay.steers, facts);
  const notice = busy === null ? [] : [...wrapWords(busy, size.columns - 2, 'warn').map(indented), []];
  const decisions = [...notice, ...planDecisions(outgoing, overlay, size.columns, theme)];
  const message = messageRows(outgoing, size.columns, facts);
  const room = Math.max(0, size.rows - decisions.length);
  const top = Math.max(0, Math.min(overlay.top, message.length - room));
  return {
    rows: [...decisions, ...message.slice(top, top + room)],
    remark: sizeOf(outgoing, state, size.columns),
  };
}

/** The size of what would go out now, for a sentence; empty when nothing would. */
export function outgoingWords(state: ResponsesModel, facts: ResponsesFacts): string {
  const { message } = facts.readOutgoing(state.draft.draft, {
    context: state.noteContext,
    chosen: [],
    range: null,
    sending: sendingOf(state, facts),
  });
  return message.ok ? `: ${message.value.byteCount} bytes, ~${count(message.value.tokenCount, 'token')}` : '';
}

/** Below these widths lines and bytes, then tokens too, are left out of the title: the rest would be cut. */
const WHOLE_SIZE_MIN_COLUMNS = 80;
const TOKENS_MIN_COLUMNS = 48;

function sizeOf({ message }: Outgoing, state: ResponsesModel, columns: number): Row {
  if (!message.ok) return [];
  const { noteCount, lineCount, byteCount, tokenCount } = message.value;
  const words = [
    count(noteCount, 'note'),
    ...(columns < WHOLE_SIZE_MIN_COLUMNS ? [] : [count(lineCount, 'line'), `${byteCount} bytes`]),
    ...(columns < TOKENS_MIN_COLUMNS ? [] : [`~${count(tokenCount, 'token')}`]),
    ...(state.noteContext === 'bare' ? [] : [`context: ${state.noteContext}`]),
  ];
  return [span(words.join(', '), 'dim')];
}

function planDecisions(outgoing: Outgoing, overlay: Preview, columns: number, theme: Theme): readonly Row[] {
  const { open } = outgoing;
  if (open.length === 0) return [];
  const chosen = new Set(overlay.chosen);
  const top = Math.max(
    0,
    Math.min(overlay.cursor - DECISIONS_MAX_ROWS + 1, open.length - DECISIONS_MAX_ROWS),
  );
  const rows = open.slice(top, top + DECISIONS_MAX_ROWS).map((item, index): Row => {
    const isMarked = top + index === overlay.cursor;
    const goes = chosen.has(item.line);
    return fitRow(
      [
        span(`${isMarked ? theme.glyphs.pointer : ' '} `, 'rule-active'),
        span(`[${goes ? theme.glyphs.checked : ' '}] `, goes ? 'ok' : 'dim'),
        span(`${item.kind === 'changed' ? 'changed' : 'whose?'}  `, 'changed'),
        foreign(item.text.trim(), isMarked ? 'selected' : 'text'),
      ],
      columns,
      theme,
    );
  });
  const heading = `Not clearly yours, sent only when chosen: ${count(open.length, 'line')}`;
  return [[span(` ${heading}`, 'dim')], ...rows, []];
}
