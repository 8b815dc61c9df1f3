/** The preview: lines to decide about first, then the message exactly as it goes out, with its size. Pure. */

import { wantsMarkers } from '../../lib/marker-policy.ts';
import { wrapInMarkers } from '../../lib/markers.ts';
import { fail } from '../../lib/result.ts';
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

const WAITS = 'this waits until it is done';
const AT_NEXT_STEP = 'it takes this at its next step, and loses nothing';

/** What each program was seen to do with a prompt that waits, and with one that breaks in, where it can do both. */
const WHILE_BUSY: Readonly<Record<string, readonly [queue: string, steer?: string]>> = {
  codex: [WAITS, 'this breaks in now and drops what it has written so far'],
  claude: [
    AT_NEXT_STEP,
    'this breaks in now and ends its answer; an older version takes it at its next step',
  ],
  pi: [WAITS, AT_NEXT_STEP],
  gemini: [WAITS],
  aider: ['it takes no prompt until it is done: send this then'],
};

/** What the program does with the message; empty while it does not work. */
function busyWays({ view }: ResponsesFacts): (typeof WHILE_BUSY)[string] | [] {
  if (view.status.state !== 'working') return [];
  const cli = view.panes.find(({ identity }) => paneKey(identity) === view.selected)?.cli ?? '';
  return WHILE_BUSY[cli] ?? ['it takes this when it can, and loses nothing'];
}

/** The AI works, and its program can both wait with a prompt and take it at once. */
export const offersSteering = (facts: ResponsesFacts): boolean => busyWays(facts).length > 1;

/** What becomes of the message while the AI works, or is gone; null when it is at rest. */
function busyWords(steers: boolean, facts: ResponsesFacts): string | null {
  if (facts.view.status.state === 'gone')
    return `The AI is gone: nothing can be sent. Esc, then ${facts.keyOf('app/panes')} follows or starts one`;
  const [queue, steer = queue] = busyWays(facts);
  return queue === undefined ? null : `The AI is working: ${steers ? steer : queue}`;
}

/** False in the first moments, while the AI pane or its stored draft is not here: what is written is only a part then. */
function isWhole({ isDraftLoaded, view }: ResponsesFacts): boolean {
  return isDraftLoaded && !(view.selected === null && view.isLooking);
}

/** What the preview is about. */
export function outgoingOf(
  { chosen, range }: Pick<Preview, 'chosen' | 'range'>,
  state: ResponsesModel,
  facts: ResponsesFacts,
): Outgoing {
  if (!isWhole(facts)) return INCOMPLETE;
  const wish = { context: state.noteContext, chosen, range, sending: sendingOf(state, facts) };
  return facts.readOutgoing(state.draft.draft, wish);
}

const INCOMPLETE: Outgoing = {
  open: [],
  message: fail('refused', 'The draft is still being loaded', 'Enter sends it as soon as it is here.'),
  lineIds: [],
};

const NOTHING: readonly number[] = [];
/** For `outgoingOf`: whatever is in the draft. */
export const ALL_NOTES = { chosen: NOTHING, range: null } as const;

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

const TITLES = {
  none: 'This will be sent',
  inside: 'Goes back as what to change in the plan',
  behind: 'Refuses the plan, then this will be sent',
} as const;

/** The preview: its title, the rows, and the remark in the title. */
export function planPreview(
  overlay: Preview,
  state: ResponsesModel,
  facts: ResponsesFacts,
  theme: Theme,
): { readonly title: string; readonly rows: readonly Row[]; readonly remark: Row } {
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
    title: isWhole(facts)
      ? TITLES[planRefusal(facts.view.status.dialog)?.words ?? 'none']
      : 'Not ready to send yet',
    rows: [...decisions, ...message.slice(top, top + room)],
    remark: sizeOf(outgoing, state, size.columns),
  };
}

/** The size of what would go out now, for a sentence; empty when nothing would. */
export function outgoingWords(state: ResponsesModel, facts: ResponsesFacts): string {
  const { message } = outgoingOf(ALL_NOTES, state, facts);
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
