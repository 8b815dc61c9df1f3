/** The preview: lines to decide on first, then the exact message, with its size. Pure. */

import { wantsMarkers } from '../../lib/marker-policy.ts';
import { wrapInMarkers } from '../../lib/markers.ts';
import { fail } from '../../lib/result.ts';
import { rowText, wrapLine } from '../../lib/text-layout.ts';
import type { Dialog } from '../../protocol/dialog.ts';
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

/** How each program treats a waiting prompt, and an interrupting one if it accepts both. */
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

/** How the program treats the message; empty unless it is working. */
function busyWays({ view }: ResponsesFacts): (typeof WHILE_BUSY)[string] | [] {
  if (view.status.state !== 'working') return [];
  const cli = view.panes.find(({ identity }) => paneKey(identity) === view.selected)?.cli ?? '';
  return WHILE_BUSY[cli] ?? ['it takes this when it can, and loses nothing'];
}

/** Whether the AI is working and its program can both queue a prompt and accept it at once. */
export const offersSteering = (facts: ResponsesFacts): boolean => busyWays(facts).length > 1;

/** The question that has to be answered first; null if there is none, or the message itself can answer it. */
export const openQuestion = ({ view: { status } }: ResponsesFacts): Dialog | null =>
  planRefusal(status.dialog) === null ? status.dialog : null;

/** That the AI asks something, and the key that answers it. */
export const question = (dialog: Dialog, facts: ResponsesFacts) =>
  `The AI asks something: ${howToAnswer(dialog, facts)}`;

function howToAnswer({ options }: Dialog, facts: ResponsesFacts): string {
  const key = facts.keyOf('pane/answer') ?? 'the palette';
  return options.length > 0 ? `${key} answers it` : `${key} shows it, answer it in the AI pane`;
}

/** What happens to the message while the AI asks, works or is gone; null if it is idle. */
function busyWords(steers: boolean, facts: ResponsesFacts): string | null {
  const asked = openQuestion(facts);
  if (asked !== null) return `${question(asked, facts)}, after Esc`;
  if (facts.view.status.state === 'gone')
    return `The AI is gone: nothing can be sent. Esc, then ${facts.keyOf('app/panes')} follows or starts one`;
  const [queue, steer = queue] = busyWays(facts);
  return queue === undefined ? null : `The AI is working: ${steers ? steer : queue}`;
}

/** False at first, until the AI pane and its stored draft are known: until then the draft is incomplete. */
function isComplete({ isDraftLoaded, view }: ResponsesFacts): boolean {
  return isDraftLoaded && !(view.selected === null && view.isLooking);
}

/** What the preview would send. */
export function outgoingOf(
  { chosen, range }: Pick<Preview, 'chosen' | 'range'>,
  state: ResponsesModel,
  facts: ResponsesFacts,
): Outgoing {
  if (!isComplete(facts)) return INCOMPLETE;
  const wanted = { context: state.noteContext, chosen, range, sending: sendingOf(state, facts) };
  return facts.readOutgoing(state.draft.draft, wanted);
}

const INCOMPLETE: Outgoing = {
  open: [],
  message: fail('refused', 'The draft is still being loaded', 'Enter sends it as soon as it is here.'),
  lineIds: [],
};

const NOTHING: readonly number[] = [];
/** For `outgoingOf`: everything in the draft. */
export const ALL_NOTES = { chosen: NOTHING, range: null } as const;

/** Lines of this pane's draft that are being sent. */
export function sendingOf(
  { responses: { sending } }: ResponsesModel,
  { view }: ResponsesFacts,
): readonly number[] {
  return sending?.pane === view.selected ? sending.lineIds : NOTHING;
}

/** The message with the markers that enclose it. An answer about a plan needs none. */
function asTyped(text: string, { view, now }: ResponsesFacts): string {
  const { policy, hasTranscript } = view.markers;
  const isAnswer = planRefusal(view.status.dialog)?.words === 'inside';
  const isMarked = !isAnswer && wantsMarkers(policy, text, hasTranscript);
  return isMarked ? wrapInMarkers(text, new Date(now)) : text;
}

/** The message's rows. The cost depends only on the rows shown and before. */
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

/** How many rows the message has and how many are in view, for scrolling. */
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

/** Rows for the decisions, with heading and gap; at most half of a screen of 24. */
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

/** The preview: title, rows, and the title's remark. */
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
    title:
      isComplete(facts) && openQuestion(facts) === null
        ? TITLES[planRefusal(facts.view.status.dialog)?.words ?? 'none']
        : 'Not ready to send yet',
    rows: [...decisions, ...message.slice(top, top + room)],
    remark: sizeOf(outgoing, state, size.columns),
  };
}

/** The size of what would be sent now, for a sentence; empty if nothing would. */
export function outgoingWords(state: ResponsesModel, facts: ResponsesFacts): string {
  const { message } = outgoingOf(ALL_NOTES, state, facts);
  return message.ok ? `: ${message.value.byteCount} bytes, ~${count(message.value.tokenCount, 'token')}` : '';
}

/** Below these widths the title omits lines and bytes, then tokens too: the rest would be cut. */
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
