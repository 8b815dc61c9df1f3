/** Keys that move, the same in every pane where they can be. */
import type { Binding } from '../kit/keys/binding.ts';

const MOVING = [
  'list',
  'reading',
  'reading-visual',
  'draft',
  'draft-visual',
  'review-list',
  'review-files',
  'review-diff',
  'review-lines',
  'agent-list',
  'agent-chat',
  'agent-rows',
  'rollback',
  'shell',
  'panel',
  'menu',
  'preview',
] as const;

/** Up, down, pages, words. */
export const MOVE_KEYS = [
  { action: 'move/down', contexts: [...MOVING, 'answer'], keys: ['j', 'Down'], help: 'Down' },
  { action: 'move/up', contexts: [...MOVING, 'answer'], keys: ['k', 'Up'], help: 'Up' },
  { action: 'move/page-down', contexts: [...MOVING], keys: ['PageDown', 'Ctrl+F'], help: 'A page down' },
  { action: 'move/page-up', contexts: [...MOVING], keys: ['PageUp', 'Ctrl+B'], help: 'A page up' },
  { action: 'move/half-down', contexts: [...MOVING], keys: ['Ctrl+D'], help: 'Half a page down' },
  { action: 'move/half-up', contexts: [...MOVING], keys: ['Ctrl+U'], help: 'Half a page up' },
  { action: 'move/first', contexts: [...MOVING], keys: ['g g', 'Ctrl+Home'], help: 'To the first line' },
  { action: 'move/last', contexts: [...MOVING], keys: ['G', 'Ctrl+End'], help: 'To the last line' },
  { action: 'move/left', contexts: ['draft'], keys: ['h', 'Left'], help: 'Left' },
  { action: 'move/right', contexts: ['draft'], keys: ['l', 'Right'], help: 'Right' },
  { action: 'move/word', contexts: ['draft'], keys: ['w'], help: 'To the next word' },
  { action: 'move/word-back', contexts: ['draft'], keys: ['b'], help: 'To the word before' },
  { action: 'move/word-end', contexts: ['draft'], keys: ['e'], help: 'To the end of the word' },
  {
    action: 'move/paragraph',
    contexts: ['draft', 'draft-visual'],
    keys: ['}'],
    help: 'To the next paragraph',
  },
  {
    action: 'move/paragraph-back',
    contexts: ['draft', 'draft-visual'],
    keys: ['{'],
    help: 'To the paragraph before',
  },
  {
    action: 'move/first-character',
    contexts: ['draft'],
    keys: ['^'],
    help: 'To the first character of the line',
  },
  { action: 'move/line-start', contexts: ['draft'], keys: ['0', 'Home'], help: 'To the start of the line' },
  { action: 'move/line-end', contexts: ['draft'], keys: ['$', 'End'], help: 'To the end of the line' },
] as const satisfies readonly Binding[];
