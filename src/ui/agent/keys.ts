/** Keys of the Agent screen: sessions, the conversation, context rows, the box, rollbacks. */
import type { Binding, ContextTitles } from '../kit/keys/binding.ts';
import { editorKeys } from '../kit/keys/editor-keys.ts';
import { moveKeys } from '../kit/keys/move-keys.ts';

const OPEN = ['agent-chat', 'agent-rows'] as const;

/** In the order of the footer. */
export const AGENT_KEYS = [
  ...editorKeys(['agent-write']),
  {
    action: 'agent/send',
    contexts: ['agent-write'],
    keys: ['Enter'],
    footer: 'send',
    help: 'Send the instruction or the answer; with files offered: take the marked one',
  },
  {
    action: 'agent/newline',
    contexts: ['agent-write'],
    keys: ['Alt+Enter', 'Ctrl+J', 'Shift+Enter'],
    footer: 'new line',
    help: 'Begin a new line',
  },
  {
    action: 'agent/complete',
    contexts: ['agent-write'],
    keys: ['Tab'],
    footer: 'file',
    help: 'Take the marked file for the @ under the cursor; without one, leave the box',
  },
  {
    action: 'agent/leave',
    contexts: ['agent-write'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'done',
    help: 'Leave the box and keep the text',
  },
  {
    action: 'agent/open-session',
    contexts: ['agent-list'],
    keys: ['Enter', 'l', 'Right'],
    footer: 'open',
    help: 'Open the marked session',
  },
  {
    action: 'agent/open',
    contexts: ['agent-chat'],
    keys: ['Enter'],
    footer: 'open',
    help: 'Open or close the marked card; a proposal opens on screen 2, a checkpoint its rollback',
  },
  {
    action: 'agent/write',
    contexts: ['agent-list', 'agent-chat', 'agent-rows'],
    keys: ['i', 'o'],
    footer: 'write',
    help: 'Write an instruction, or the answer to a question; in the list: in a new session',
  },
  {
    action: 'agent/toggle',
    contexts: ['agent-chat'],
    keys: ['Ctrl+O'],
    footer: 'card',
    help: 'Open or close the marked card alone; on a proposal its diff',
  },
  {
    action: 'agent/save',
    contexts: ['agent-chat', 'agent-rows', 'agent-write'],
    keys: ['Ctrl+S'],
    footer: 'save',
    help: 'Write what is decided to the files of the project',
  },
  {
    action: 'agent/stop',
    contexts: ['agent-chat'],
    keys: ['x'],
    footer: 'stop',
    help: 'Stop the job that runs; nothing of it is applied',
  },
  {
    action: 'agent/skip',
    contexts: ['agent-chat'],
    keys: ['s'],
    footer: 'skip',
    help: 'Skip the question: the model goes on without an answer',
  },
  {
    action: 'agent/add-row',
    contexts: ['agent-chat', 'agent-rows'],
    keys: ['a'],
    footer: 'context',
    help: 'Add a context row: a file, what git has changed, the marked response',
  },
  {
    action: 'agent/rollback',
    contexts: ['agent-chat'],
    keys: ['b'],
    footer: 'roll back',
    help: 'Roll back to a checkpoint; what would change is shown first',
  },
  {
    action: 'agent/rerun',
    contexts: ['agent-chat'],
    keys: ['R'],
    help: 'Run the last instruction again with the files as they are now',
  },
  {
    action: 'agent/confirm-edits',
    contexts: ['agent-chat', 'agent-rows'],
    keys: ['e'],
    help: 'Let the model ask before it proposes edits, or not',
  },
  {
    action: 'agent/archive',
    contexts: ['agent-list'],
    keys: ['d'],
    footer: 'close',
    help: 'Put the marked session away; its checkpoints are kept',
  },
  {
    action: 'agent/pin',
    contexts: ['agent-rows'],
    keys: ['p', 'Space'],
    footer: 'pin',
    help: 'Keep the context row for the instructions that follow, or not',
  },
  {
    action: 'agent/remove-row',
    contexts: ['agent-rows'],
    keys: ['x', 'Delete'],
    footer: 'remove',
    help: 'Remove the context row',
  },
  {
    action: 'rollback/do',
    contexts: ['rollback'],
    keys: ['Enter'],
    footer: 'roll back',
    help: 'Do what is shown; it can be rolled back itself',
  },
  {
    action: 'rollback/close',
    contexts: ['rollback'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close; nothing is rolled back',
  },
  { action: 'copy', contexts: ['agent-chat'], keys: ['y'], help: 'Copy the marked entry' },
  ...moveKeys(['agent-list', ...OPEN, 'rollback']),
  { action: 'focus/next', contexts: OPEN, keys: ['Tab'], help: 'Next pane: chat, context rows' },
  { action: 'focus/previous', contexts: OPEN, keys: ['Shift+Tab'], help: 'Previous pane' },
  { action: 'focus/back', contexts: OPEN, keys: ['Esc'], help: 'Back to the list' },
] as const satisfies readonly Binding[];

export type AgentAction = (typeof AGENT_KEYS)[number]['action'];

export const AGENT_CONTEXTS = {
  'agent-list': 'List of sessions',
  'agent-chat': 'Agent',
  'agent-rows': 'Context rows',
  'agent-write': 'Writing to the agent',
  rollback: 'Preview of a rollback',
} as const satisfies ContextTitles;
