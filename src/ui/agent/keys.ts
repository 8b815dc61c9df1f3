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
    help: 'Send the instruction or the answer; when files are offered, insert the selected one',
  },
  {
    action: 'agent/newline',
    contexts: ['agent-write'],
    keys: ['Alt+Enter', 'Ctrl+J', 'Shift+Enter'],
    footer: 'new line',
    help: 'Start a new line',
  },
  {
    action: 'agent/complete',
    contexts: ['agent-write'],
    keys: ['Tab'],
    footer: 'file',
    help: 'Insert the selected file for the @ under the cursor; otherwise leave the box',
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
    help: 'Open the selected session',
  },
  {
    action: 'agent/open',
    contexts: ['agent-chat'],
    keys: ['Enter'],
    footer: 'open',
    help: 'Open or close the selected card; a proposal opens on screen 2, a checkpoint its rollback',
  },
  {
    action: 'agent/write',
    contexts: ['agent-list', 'agent-chat', 'agent-rows'],
    keys: ['i', 'o'],
    footer: 'write',
    help: 'Write an instruction, or the answer to a question; in the list: in a new session',
  },
  {
    action: 'agent/use-offer',
    contexts: ['agent-list', 'agent-chat'],
    keys: ['u'],
    footer: 'use it',
    help: 'While no model is configured: make the AI CLI that is offered the agent',
  },
  {
    action: 'agent/toggle',
    contexts: ['agent-chat'],
    keys: ['Ctrl+O'],
    footer: 'card',
    help: 'Open or close the selected card only; on a proposal its diff',
  },
  {
    action: 'agent/save',
    contexts: ['agent-chat', 'agent-rows', 'agent-write'],
    keys: ['Ctrl+S'],
    footer: 'save',
    help: 'Write the decided changes to disk',
  },
  {
    action: 'agent/stop',
    contexts: ['agent-chat'],
    keys: ['x'],
    footer: 'stop',
    help: 'Stop the running job; nothing of it is applied',
  },
  {
    action: 'agent/skip',
    contexts: ['agent-chat'],
    keys: ['s'],
    footer: 'skip',
    help: 'Skip the question: the model continues without an answer',
  },
  {
    action: 'agent/add-row',
    contexts: ['agent-chat', 'agent-rows'],
    keys: ['a'],
    footer: 'context',
    help: 'Add a context row: a file, the git diff, the selected response',
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
    help: 'Switch whether the model asks before it proposes edits',
  },
  {
    action: 'agent/archive',
    contexts: ['agent-list'],
    keys: ['d'],
    footer: 'close',
    help: 'Archive the selected session; its checkpoints are kept',
  },
  {
    action: 'agent/pin',
    contexts: ['agent-rows'],
    keys: ['p', 'Space'],
    footer: 'pin',
    help: 'Switch whether the context row stays for later instructions',
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
    help: 'Roll back as shown; this can itself be rolled back',
  },
  {
    action: 'rollback/close',
    contexts: ['rollback'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close; nothing is rolled back',
  },
  { action: 'copy', contexts: ['agent-chat'], keys: ['y'], help: 'Copy the selected entry' },
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
