/** Commands of the text box: write, recall, name files with @, send. Abandoned text is kept. */
import { type DraftAction, draftText, reduceDraft } from '../../responses/core/draft.ts';
import { type EditorState, editorOf, insertCommandsBy } from '../kit/editor.ts';
import { mapCard } from './entries.ts';
import { save } from './job-commands.ts';
import {
  type AgentFacts,
  type AgentHandler,
  type AgentHandlers,
  type AgentModel,
  type AgentOutcome,
  done,
  say,
} from './model.ts';
import { changeAgent } from './moves.ts';
import type { AgentView, ShownMap } from './port.ts';
import { type AgentState, ASKED_MAX, askingJob, HISTORY_MAX, liveJob } from './state.ts';

/** Moves the cursor into the box. */
export const startWriting: AgentHandler = (state) => {
  const { editor } = state.agent;
  const ready = editor.mode === 'insert' ? editor : editorOf(draftText(editor.draft));
  return done(changeAgent(state, { focus: 'write', editor: ready, entry: null }));
};

/** The state with the text changed; looks up files if an `@…` precedes the cursor. */
function changeEditor(state: AgentModel, action: DraftAction): AgentOutcome {
  const editor = reduceDraft(state.agent.editor, action);
  const prefix = filePrefix(editor);
  const changed = changeAgent(state, {
    editor,
    historyAt: -1,
    completion: prefix === null ? null : state.agent.completion,
  });
  return prefix === null ? done(changed) : done(changed, { kind: 'agent-complete', prefix });
}

/** Adds typed text; a paste outside the box also starts writing. */
export function typeToAgent(
  state: AgentModel,
  facts: AgentFacts,
  text: string,
  how: 'type' | 'paste',
): AgentOutcome | null {
  if (state.overlay !== null) return done(state);
  if (state.agent.focus !== 'write' && how === 'type') return null;
  const writing = state.agent.focus === 'write' ? state : startWriting(state, facts).state;
  return changeEditor(writing, { type: how === 'paste' ? 'draft/paste' : 'draft/type', text });
}

/** The text between an `@` and the cursor; null without `@`. */
export function filePrefix({ draft, cursor }: EditorState): string | null {
  const before = (draft.lines[cursor.line]?.text ?? '').slice(0, cursor.offset);
  return /(?:^|\s)@([^\s@]*)$/.exec(before)?.[1] ?? null;
}

const leave: AgentHandler = (state) =>
  done(
    state.agent.completion === null
      ? changeAgent(state, { focus: state.agent.session === null ? 'list' : 'chat' })
      : changeAgent(state, { completion: null }),
  );

function takeFile(state: AgentModel): AgentModel {
  const { completion, editor } = state.agent;
  const file = completion?.files[completion.cursor];
  const prefix = filePrefix(editor);
  if (file === undefined || prefix === null) return changeAgent(state, { completion: null });
  let edited = editor;
  for (const _ of prefix) edited = reduceDraft(edited, { type: 'draft/erase', what: 'character-back' });
  return changeAgent(state, {
    editor: reduceDraft(edited, { type: 'draft/paste', text: `${file} ` }),
    completion: null,
  });
}

const complete: AgentHandler = (state, facts) =>
  state.agent.completion === null ? leave(state, facts) : done(takeFile(state));

const send: AgentHandler = (state, facts) => {
  if (state.agent.completion !== null) return done(takeFile(state));
  const text = draftText(state.agent.editor.draft).trim();
  if (text === '') return say(state, facts, 'info', 'The box is empty');
  // A completion's @ marks the file, but is not part of its name.
  const file = /^\/map(?:\s+@?(\S.*))?$/.exec(text);
  if (file !== null && file[1] === undefined) return say(state, facts, 'info', 'Name a file: /map FILE');
  if (file?.[1] !== undefined) return done(sent(state, text), { kind: 'agent-map', path: file[1], text });
  const asking = askingJob(facts.agent);
  if (asking !== null)
    return done(sent(state, text), { ...answering(asking.id, asking.question.question_id, text), text });
  if (liveJob(facts.agent) !== null) {
    return say(state, facts, 'info', 'A job of this session is running; the text is kept until it ends');
  }
  const { session, confirmBeforeEdits } = state.agent;
  const act = { kind: 'run', session, instruction: text, confirmBeforeEdits } as const;
  return done(sent(state, text), { kind: 'agent', act, what: 'Starting', text });
};

export const answering = (job: string, question: string, answer: string) =>
  ({ kind: 'agent', act: { kind: 'answer', job, question, answer }, what: 'Answering' }) as const;

/** The box emptied, its text kept for recall. */
function sent(state: AgentModel, text: string): AgentModel {
  const history = [text, ...state.agent.history.filter((known) => known !== text)].slice(0, HISTORY_MAX);
  return changeAgent(state, { editor: editorOf(''), history, historyAt: -1, focus: 'chat', entry: null });
}

/** Instructions for recall: those sent here, then the open session's earlier ones. */
function recallable({ history }: AgentState, { jobs }: AgentView): readonly string[] {
  return [...new Set([...history, ...jobs.map(({ instruction }) => instruction).toReversed()])];
}

/** Up and down: in the offered files, in the text, and beyond its ends in the history. */
const vertical =
  (delta: 1 | -1): AgentHandler =>
  (state, facts) => {
    const { completion, editor, historyAt } = state.agent;
    const history = recallable(state.agent, facts.agent);
    if (completion !== null) {
      const cursor = Math.max(0, Math.min(completion.files.length - 1, completion.cursor + delta));
      return done(changeAgent(state, { completion: { ...completion, cursor } }));
    }
    const moved = reduceDraft(editor, { type: 'draft/move', motion: delta < 0 ? 'up' : 'down' });
    if (moved.cursor.line !== editor.cursor.line) return done(changeAgent(state, { editor: moved }));
    const at = Math.max(-1, Math.min(history.length - 1, historyAt - delta));
    if (at === historyAt) return done(state);
    return done(changeAgent(state, { historyAt: at, editor: editorOf(history[at] ?? '') }));
  };

/** Shows a requested map as a card at the end of the chat. */
export function showMap(state: AgentModel, facts: AgentFacts, map: ShownMap): AgentOutcome {
  const { session, asked } = state.agent;
  const afterJob = facts.agent.jobs.at(-1)?.id ?? null;
  const card = mapCard(`map ${afterJob} ${facts.now} ${asked.length}`, map);
  const kept = [...asked, { session, afterJob, below: null, card }].slice(-ASKED_MAX);
  return done(changeAgent(state, { asked: kept, entry: null }));
}

/** Offers the files found for a prefix if the cursor is still at it. */
export function offerFiles(
  state: AgentModel,
  _facts: AgentFacts,
  prefix: string,
  files: readonly string[],
): AgentOutcome {
  if (state.agent.focus !== 'write' || filePrefix(state.agent.editor) !== prefix) return done(state);
  const isDone = files.length === 0 || (files.length === 1 && files[0] === prefix);
  return done(changeAgent(state, { completion: isDone ? null : { files, cursor: 0 } }));
}

export const agentWriteCommands: AgentHandlers = {
  ...insertCommandsBy(
    (action): AgentHandler =>
      (state) =>
        changeEditor(state, action),
  ),
  'insert/up': vertical(-1),
  'insert/down': vertical(1),
  'agent/send': send,
  'agent/newline': (state) => changeEditor(state, { type: 'draft/newline' }),
  'agent/complete': complete,
  'agent/leave': leave,
  'agent/save': save,
};
