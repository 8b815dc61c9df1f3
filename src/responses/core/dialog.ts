/** An open dialog with its known details: answers from the screen, which truncates; the rest from the program. Pure. */
import type { AskedCall, AskedQuestion, Choice, Dialog, DialogOption } from '../../protocol/dialog.ts';
import { lettersOf } from './shown-turn.ts';

/** Gemini CLI's row in place of the rows that it folded. */
const FOLD = /^\s*\.{3} (?:first )?\d+ (?:lines? )?hidden \(Ctrl\+O/;
/** Any program's row in place of hidden rows. */
const HIDES = new RegExp(`${FOLD.source}|^\\s*\\[?… \\+?\\d+ lines\\b`);
/** A shorter piece of a command could occur in any dialog. */
const MIN_MATCH_CHARACTERS = 4;
/** The start of a row that the program itself writes around a command. */
const OWN_WORDS = /^\W*[A-Z][a-z]+\b/;
/** A line of a change: its number, sign and text. */
const NUMBERED_LINE = /^\s*\d+ *(?=[-+]|\s)/;
const SIGNED_LINE = /^\s*\d+ *(?=[-+])/;

/**
 * The dialog on a screen. `asked`: the calls that it may be about, some already answered. If several different calls
 * match, only the screen is certain. `hasHook`: the program's own hook has reported something.
 */
export function composeDialog(seen: Choice, asked: readonly AskedCall[], hasHook = false): Dialog {
  const exact = asked.filter((call) => call.kind === 'command' && showsCommand(seen, call) === 'whole');
  const about = (exact.length > 0 ? exact : asked).flatMap((call) => aboutCall(seen, call) ?? []);
  const [one, ...others] = new Map(about.map((each) => [JSON.stringify(each), each])).values();
  if (one !== undefined && others.length === 0) return one;
  const { question, options } = seen;
  const isFolded = question.split('\n').some((row) => FOLD.test(row));
  const folded = isFolded ? (hasHook ? 'untold' : 'unhooked') : null;
  return { kind: 'other', question, folded, source: 'screen', options, seen };
}

/** Whether two readings show the same dialog, regardless of pointer, boxes and typed text. */
export function isSameChoice(one: Choice, other: Choice): boolean {
  return isSameQuestion(one, other) && one.options.every((_, index) => isSameAnswer(one, other, index));
}

/** Whether they ask the same. While Gemini CLI draws, it folds more or fewer of the same rows. */
function asksSame(one: Choice, other: Choice): boolean {
  const [before, now] = [atFold(one.question), atFold(other.question)];
  if (before === null || now === null) return lettersOf(one.question) === lettersOf(other.question);
  const isPart = before.tail.endsWith(now.tail) || now.tail.endsWith(before.tail);
  return before.head === now.head && before.rows === now.rows && isPart;
}

/** The letters above and below a fold, and how many rows there are with the folded ones. */
function atFold(question: string) {
  const rows = question.split('\n');
  const at = rows.findIndex((row) => FOLD.test(row));
  if (at < 0) return null;
  const part = (from: number, to?: number) => lettersOf(rows.slice(from, to).join('\n'));
  const folded = Number(/\d+/.exec(rows[at] ?? '')?.[0]);
  return { head: part(0, at), tail: part(at + 1), rows: rows.length + folded };
}

/** Whether the same question is on the screen again: its answers can differ, and its data can have been read since. */
export function isRedrawn(before: Dialog, now: Dialog): boolean {
  if (!asksSame(before.seen, now.seen)) return false;
  return before.source === 'screen' || now.source === 'screen' || before.question === now.question;
}

/** Whether the answer with this index is the same, whatever has been typed into it. */
export function isSameAnswer(one: Choice, other: Choice, index: number): boolean {
  const [before, now] = [one.options[index], other.options[index]];
  if (before === undefined || now === undefined) return false;
  return before.takesText || lettersOf(before.label) === lettersOf(now.label);
}

/** Whether they ask the same question, whatever has been typed into an answer. */
export function isSameQuestion(one: Choice, other: Choice): boolean {
  return asksSame(one, other) && one.options.length === other.options.length;
}

function aboutCall(seen: Choice, call: AskedCall): Dialog | null {
  switch (call.kind) {
    case 'plan':
      return asksAboutPlan(seen) ? withDetails(seen, 'plan', call.text) : null;
    case 'command':
      return showsCommand(seen, call) !== null ? withDetails(seen, 'command', call.text) : null;
    case 'edit':
      return showsEdit(seen, call) ? withDetails(seen, 'edit', call.text) : null;
    case 'questions':
      return aboutQuestions(seen, call.questions);
  }
}

/** The programs mention the plan in the question, or in an answer. */
function asksAboutPlan({ question, options }: Choice): boolean {
  const answers = options.map(({ label, description }) => `${label} ${description}`);
  return /^\s*yes\b/im.test(answers.join('\n')) && /\bplan\b/i.test([question, ...answers].join('\n'));
}

/** How a reply to a plan is given: typed into an answer, or sent as a prompt after the answer that refuses the plan. */
export interface PlanRefusal {
  /** Index of the answer. */
  readonly option: number;
  readonly words: 'inside' | 'behind';
}

/** Null if the AI does not ask about a plan, or takes no reply. */
export function planRefusal(dialog: Dialog | null): PlanRefusal | null {
  if (dialog?.kind !== 'plan') return null;
  const inside = dialog.options.findIndex(({ takesText }) => takesText);
  if (inside >= 0) return { option: inside, words: 'inside' };
  const behind = dialog.options.findIndex(({ label }) => /^no\b/i.test(label));
  return behind < 0 ? null : { option: behind, words: 'behind' };
}

type Asked<Kind extends AskedCall['kind']> = Extract<AskedCall, { kind: Kind }>;

/**
 * How much of this command the rows show. All rows between the program's own text must be part of it, without a gap,
 * from its start to its end or to where the screen ends or hides rows. Null: they show another command.
 */
function showsCommand({ question }: Choice, { text, reason }: Asked<'command'>): 'whole' | 'part' | null {
  const rows = question.split('\n').filter((row) => lettersOf(row) !== '');
  const [details, reasons] = [lettersOf(text), lettersOf(reason)];
  const isOwn = (row: string) => OWN_WORDS.test(row) || reasons.includes(lettersOf(row));
  let found: 'part' | null = null;
  for (const [from, first] of rows.entries()) {
    if (from > 0 && !isOwn(rows[from - 1] ?? '') && !FOLD.test(first)) continue;
    let [head, tail, isHiding] = ['', '', false];
    for (let to = from; to < rows.length && details.includes(head); to++) {
      const row = rows[to] ?? '';
      if (HIDES.test(row)) [tail, isHiding] = ['', true];
      else if (isHiding) tail += lettersOf(row);
      else head += lettersOf(row);
      const next = rows[to + 1];
      if (next !== undefined && !isOwn(next)) continue;
      if (head === details) return 'whole';
      const ends = isHiding ? details.endsWith(tail) && details.startsWith(head) : details.startsWith(head);
      const isPart =
        (ends && (isHiding || next === undefined)) || (from === 0 && details.endsWith(head + tail));
      const shown = head.length + tail.length;
      if (isPart && shown >= MIN_MATCH_CHARACTERS && shown < details.length) found = 'part';
    }
  }
  return found;
}

/** Whether the rows show this change: its file, and only lines of it. Only a diff includes the lines around it. */
function showsEdit({ question }: Choice, { path, text }: Asked<'edit'>): boolean {
  const shape = text.startsWith('@@ ') ? NUMBERED_LINE : SIGNED_LINE;
  const whole = lettersOf(text);
  // Old and new lines can be side by side.
  const lines = question.split('\n').filter((row) => shape.test(row));
  const parts = lines.flatMap((row) => row.split(/\s{2,}(?=\d)/)).map((part) => part.replace(shape, ''));
  return (
    lettersOf(question).includes(lettersOf(path.split('/').at(-1) ?? path)) &&
    parts.every((part) => whole.includes(lettersOf(part)))
  );
}

/** The text on the screen around the details, with the complete details in place of the visible part. */
function withDetails(seen: Choice, kind: Dialog['kind'], details: string): Dialog {
  const rows = seen.question.split('\n');
  const { from, to } = shownPart(rows, lettersOf(details));
  const part = (some: readonly string[]) =>
    some
      .filter((row) => !/^\s*[╌┄─]{4,}/.test(row) && !HIDES.test(row))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/^\s*\n|\s+$/g, '');
  const question = [part(rows.slice(0, from)), details.trimEnd(), part(rows.slice(to))]
    .filter((text) => text !== '')
    .join('\n\n');
  return { kind, question, folded: null, source: 'transcript', options: seen.options, seen };
}

/** What a program draws before a line: its number, sign, or the letter of a nested list. */
const DRAWN_LEAD = /^\s*(?:\d+|[a-z]{1,4}[.)])\s*[-+]?/i;
/** How many rows within the details may differ from them. */
const MAX_OTHER_ROWS = 1;
/** Its cells are wrapped, so its text has another order than the details. */
const TABLE_ROW = /[│┃]/;

/** The rows that show the details, in order: the longest run, since single words can occur anywhere. */
function shownPart(rows: readonly string[], whole: string): { readonly from: number; readonly to: number } {
  let found = { from: 0, to: 0, weight: 0 };
  for (let from = 0; from < rows.length; from++) {
    let [at, to, weight, others] = [0, from, 0, 0];
    for (let row = from; row < rows.length && others <= MAX_OTHER_ROWS; row++) {
      const text = rows[row] ?? '';
      const keys = [text, text.replace(DRAWN_LEAD, '')].map(lettersOf).filter((key) => key !== '');
      const key = keys.find((each) => whole.includes(each, at));
      if (key !== undefined) {
        at = whole.indexOf(key, at) + key.length;
        [to, weight, others] = [row + 1, weight + key.length, 0];
      } else if (keys.length > 0 && !TABLE_ROW.test(text)) others += 1;
      if (weight === 0) break;
    }
    if (weight > found.weight) found = { from, to, weight };
  }
  return found;
}

function aboutQuestions(seen: Choice, questions: readonly AskedQuestion[]): Dialog | null {
  const shown = lettersOf(seen.question);
  const at = questions.findIndex(
    ({ question }) => shown.includes(lettersOf(question)) && lettersOf(question) !== '',
  );
  const asked = questions[at];
  if (asked === undefined || seen.options.length === 0) return null;
  // A summary page names every question.
  if (questions.length > 1 && questions.every(({ question }) => shown.includes(lettersOf(question))))
    return null;
  const place = questions.length > 1 ? `${at + 1} of ${questions.length}: ` : '';
  const options = seen.options.map((option) => wholeOption(option, asked));
  return {
    kind: 'question',
    question: `${place}${asked.question}`,
    folded: null,
    source: 'transcript',
    options,
    seen,
  };
}

function wholeOption(option: DialogOption, { options }: AskedQuestion): DialogOption {
  const key = lettersOf(option.label);
  const asked = options.find(({ label }) => key !== '' && lettersOf(label).startsWith(key.replace(/…$/, '')));
  return asked === undefined ? option : { ...option, label: asked.label, description: asked.description };
}
