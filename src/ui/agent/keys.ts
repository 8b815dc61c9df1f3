/** Keys of the Agent screen: sessions, the conversation, context rows, the box, rollbacks. */
import { type ContextTitles, keysIn } from '../kit/keys/binding.ts';
import { editorKeys } from '../kit/keys/editor-keys.ts';
import { moveKeys } from '../kit/keys/move-keys.ts';

const OPEN = ['agent-chat', 'agent-rows'] as const;

/** In the order of the footer. */
export const AGENT_KEYS = [
  ...editorKeys(['agent-write']),
  ...keysIn(['agent-write'], {
    'agent/send': [
      'Enter',
      'Send the instruction or the answer; when files are offered, insert the selected one',
      'send',
    ],
    'agent/newline': [['Alt+Enter', 'Ctrl+J', 'Shift+Enter'], 'Start a new line', 'new line'],
    'agent/complete': [
      'Tab',
      'Insert the selected file for the @ under the cursor; otherwise leave the box',
      'file',
    ],
    'agent/leave': [['Esc', 'Ctrl+C'], 'Leave the box and keep the text', 'done'],
  }),
  ...keysIn(['agent-list'], {
    'agent/open-session': [['Enter', 'l', 'Right'], 'Open the selected session', 'open'],
  }),
  ...keysIn(['agent-chat'], {
    'agent/open': [
      'Enter',
      'Open or close the selected card; a proposal opens on screen 2, a checkpoint its rollback',
      'open',
    ],
  }),
  ...keysIn(['agent-list', 'agent-chat', 'agent-rows'], {
    'agent/write': [
      ['i', 'o'],
      'Write an instruction, or the answer to a question; in the list: in a new session',
      'write',
    ],
  }),
  ...keysIn(['agent-list', 'agent-chat'], {
    'agent/use-offer': [
      'u',
      'While no model is configured: make the AI CLI that is offered the agent',
      'use it',
    ],
  }),
  ...keysIn(['agent-chat'], {
    'agent/toggle': ['Ctrl+O', 'Open or close the selected card only; on a proposal its diff', 'card'],
  }),
  ...keysIn(['agent-chat', 'agent-rows', 'agent-write'], {
    'agent/save': ['Ctrl+S', 'Write the decided changes to disk', 'save'],
  }),
  ...keysIn(['agent-chat'], {
    'agent/stop': ['x', 'Stop the running job; nothing of it is applied', 'stop'],
    'agent/skip': ['s', 'Skip the question: the model continues without an answer', 'skip'],
  }),
  ...keysIn(['agent-chat', 'agent-rows'], {
    'agent/add-row': ['a', 'Add a context row: a file, the git diff, the selected response', 'context'],
  }),
  ...keysIn(['agent-chat'], {
    'agent/rollback': ['b', 'Roll back to a checkpoint; what would change is shown first', 'roll back'],
    'agent/rerun': ['R', 'Run the last instruction again with the files as they are now'],
  }),
  ...keysIn(['agent-chat', 'agent-rows'], {
    'agent/confirm-edits': ['e', 'Switch whether the model asks before it proposes edits'],
  }),
  ...keysIn(['agent-list'], {
    'agent/archive': ['d', 'Archive the selected session; its checkpoints are kept', 'close'],
  }),
  ...keysIn(['agent-rows'], {
    'agent/pin': [['p', 'Space'], 'Switch whether the context row stays for later instructions', 'pin'],
    'agent/remove-row': [['x', 'Delete'], 'Remove the context row', 'remove'],
  }),
  ...keysIn(['rollback'], {
    'rollback/do': ['Enter', 'Roll back as shown; this can itself be rolled back', 'roll back'],
    'rollback/close': [['Esc', 'q', 'Ctrl+C'], 'Close; nothing is rolled back', 'close'],
  }),
  ...keysIn(['agent-chat'], {
    copy: ['y', 'Copy the selected entry'],
  }),
  ...moveKeys(['agent-list', ...OPEN, 'rollback']),
  ...keysIn(OPEN, {
    'focus/next': ['Tab', 'Next pane: chat, context rows'],
    'focus/previous': ['Shift+Tab', 'Previous pane'],
    'focus/back': ['Esc', 'Back to the list'],
  }),
] as const;

export type AgentAction = (typeof AGENT_KEYS)[number]['action'];

export const AGENT_CONTEXTS = {
  'agent-list': 'List of sessions',
  'agent-chat': 'Agent',
  'agent-rows': 'Context rows',
  'agent-write': 'Writing to the agent',
  rollback: 'Preview of a rollback',
} as const satisfies ContextTitles;
