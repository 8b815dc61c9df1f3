/** The text on an empty screen: why there is nothing, and the key for the next step. Pure. */

import { sentence } from '../../lib/result.ts';
import type { Region } from '../kit/layout.ts';
import { indented, type Row, span } from '../kit/row.ts';
import { count } from '../kit/time.ts';
import type { ResponsesFacts } from './model.ts';

function key(facts: ResponsesFacts, action: Parameters<ResponsesFacts['keyOf']>[0]): string {
  return facts.keyOf(action) ?? action;
}

/** One line for a list without turns; the reading pane says the rest. */
export function planEmptyList({ view }: ResponsesFacts): readonly Row[] {
  if (view.isLooking) return [];
  const words = view.selected === null ? 'No AI pane is followed.' : 'No response yet.';
  return [[span('  '), span(words, 'dim')]];
}

/** Why there is no response, and how to get one. */
export function planNoResponse(facts: ResponsesFacts, columns: number): readonly Row[] {
  const { problem, isLooking } = facts.view;
  if (isLooking) return indented('Looking for AI panes', columns);
  const why = problem === null ? [] : [...indented(sentence(problem.message), columns, 'warn'), []];
  // An AI pane with a problem cannot be asked.
  const isTroubled = problem !== null && facts.view.selected !== null;
  const steps = isTroubled ? [] : nextSteps(facts).flatMap((text) => indented(text, columns));
  const hint = problem?.hint === undefined ? [] : [...indented(problem.hint, columns)];
  return [...why, ...steps, ...(steps.length > 0 && hint.length > 0 ? [[]] : []), ...hint];
}

function nextSteps(facts: ResponsesFacts): readonly string[] {
  const { panes, selected } = facts.view;
  const common = `${key(facts, 'draft/note-below')} writes a note, ${key(facts, 'draft/send')} sends your notes, ${key(facts, 'app/help')} shows all keys.`;
  if (selected !== null) {
    return ['No response yet. Ask the AI something: its answers are stacked here, newest first.', common];
  }
  if (panes.length > 0) {
    const listed = `${key(facts, 'app/panes')} lists the ${count(panes.length, 'AI pane')} of tmux: choose one.`;
    return [`No AI pane is followed. ${listed}`, common];
  }
  const start = `${key(facts, 'app/panes')} starts your AI CLI (claude, codex, gemini, opencode, pi, aider) in a pane beside this one;`;
  return [`${start} one that you start yourself appears here, too.`, common];
}

/** Goes above the screen's text, whose last rows are the newest. */
const WRITING_ROWS = 2;

/** What the AI writes before its session file has it; a screen reader learns only that it writes. */
export function planWriting(text: string, { columns, rows }: Region, isPlain: boolean): readonly Row[] {
  const shown = isPlain ? [] : text.split('\n').flatMap((line) => previewRows(line, columns));
  const head =
    text === '' || isPlain
      ? 'The AI is writing…'
      : 'The AI is writing. This is its screen, until the exact text is there:';
  return [...indented(head, columns, 'working'), [], ...shown.slice(-Math.max(1, rows - WRITING_ROWS))];
}

function previewRows(line: string, columns: number): readonly Row[] {
  const indent = line.length - line.trimStart().length;
  if (line.trim() === '') return [[]];
  const rows = indented(line.trim(), columns - indent, 'dim');
  return rows.map((row) => [span(' '.repeat(indent)), ...row]);
}

/** How to begin a draft. */
export function planEmptyDraft(facts: ResponsesFacts, columns: number): readonly Row[] {
  const text = `Empty. ${key(facts, 'response/pull')} pulls the response in; write your notes between its lines with ${key(facts, 'draft/note-below')}, and ${key(facts, 'draft/send')} sends only the notes.`;
  return indented(text, columns);
}
