/**
 * The one table of keys: every action, where it is valid, its default keys, its word in the footer and its
 * help. Matching, footer, help overlay, command palette, docs/keys.md and remapping are read from here.
 */

/** Where a key is valid. Several may be active at once; `keymap.ts` tries them from the narrowest to the widest. */
export const CONTEXTS = [
  'app',
  'responses',
  'list',
  'reading',
  'reading-visual',
  'draft',
  'draft-visual',
  'insert',
  'panel',
  'menu',
  'filter',
  'preview',
  'confirm',
  'prompt',
  'answer',
] as const;
export type Context = (typeof CONTEXTS)[number];

/** How the help and the documentation name a context. */
export const CONTEXT_TITLES: Readonly<Record<Context, string>> = {
  app: 'Everywhere',
  responses: 'Responses',
  list: 'List of responses',
  reading: 'Reading a response',
  'reading-visual': 'Reading, lines selected',
  draft: 'Draft, normal mode',
  'draft-visual': 'Draft, lines selected',
  insert: 'Draft, insert mode',
  panel: 'Help and diff',
  menu: 'Menus',
  filter: 'Command palette',
  preview: 'Preview before sending',
  confirm: 'A question',
  prompt: 'Search line',
  answer: 'Answering the AI',
};

export interface Binding {
  readonly action: string;
  readonly contexts: readonly Context[];
  /** Default chords; several are alternatives. */
  readonly keys: readonly string[];
  /** One or two words for the footer; the order of the table is the order there. */
  readonly footer?: string;
  /** One sentence for help, palette and documentation. */
  readonly help: string;
}

const MOVING = [
  'list',
  'reading',
  'reading-visual',
  'draft',
  'draft-visual',
  'panel',
  'menu',
  'preview',
] as const;
const ANYWHERE = ['list', 'reading', 'draft'] as const;

const TABLE = [
  // What the footer shows first stands first.
  {
    action: 'filter/choose',
    contexts: ['filter'],
    keys: ['Enter'],
    footer: 'run',
    help: 'Run the marked command',
  },
  { action: 'filter/close', contexts: ['filter'], keys: ['Esc', 'Ctrl+C'], footer: 'close', help: 'Close' },
  { action: 'filter/down', contexts: ['filter'], keys: ['Down', 'Ctrl+N'], help: 'Down' },
  { action: 'filter/up', contexts: ['filter'], keys: ['Up', 'Ctrl+P'], help: 'Up' },
  {
    action: 'query/delete-back',
    contexts: ['filter', 'prompt'],
    keys: ['Backspace'],
    help: 'Delete the last character',
  },
  {
    action: 'query/clear',
    contexts: ['filter', 'prompt'],
    keys: ['Ctrl+U', 'Ctrl+W'],
    help: 'Delete the text',
  },
  {
    action: 'menu/choose',
    contexts: ['menu'],
    keys: ['Enter'],
    footer: 'choose',
    help: 'Choose the marked row',
  },
  {
    action: 'preview/send',
    contexts: ['preview'],
    keys: ['Enter'],
    footer: 'send',
    help: 'Send what is shown',
  },
  {
    action: 'preview/close',
    contexts: ['preview'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close; nothing is sent',
  },
  {
    action: 'preview/toggle',
    contexts: ['preview'],
    keys: ['Space', 'x'],
    footer: 'send or keep',
    help: 'Send the marked changed line, or keep it back',
  },
  { action: 'confirm/yes', contexts: ['confirm'], keys: ['Enter', 'y'], footer: 'yes', help: 'Do it' },
  { action: 'confirm/no', contexts: ['confirm'], keys: ['Esc', 'n', 'q'], footer: 'no', help: 'Leave it' },
  {
    action: 'prompt/accept',
    contexts: ['prompt'],
    keys: ['Enter'],
    footer: 'search',
    help: 'Search for the text',
  },
  {
    action: 'prompt/cancel',
    contexts: ['prompt'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'cancel',
    help: 'Leave the search',
  },
  {
    action: 'answer/choose',
    contexts: ['answer'],
    keys: ['Enter'],
    footer: 'answer',
    help: 'Give the AI the marked answer',
  },
  {
    action: 'answer/cancel',
    contexts: ['answer'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'cancel',
    help: 'Leave the question open',
  },

  {
    action: 'insert/leave',
    contexts: ['insert'],
    keys: ['Esc', 'Ctrl+C'],
    footer: 'keep and leave',
    help: 'Leave insert mode and keep the text',
  },
  {
    action: 'insert/newline',
    contexts: ['insert'],
    keys: ['Enter', 'Ctrl+J', 'Alt+Enter'],
    footer: 'new line',
    help: 'Begin a new line',
  },

  {
    action: 'visual/leave',
    contexts: ['reading-visual', 'draft-visual'],
    keys: ['Esc', 'v'],
    footer: 'leave selection',
    help: 'Drop the selection',
  },
  {
    action: 'response/pull',
    contexts: ['list', 'reading', 'reading-visual', 'draft'],
    keys: ['p'],
    footer: 'pull',
    help: 'Pull the response (or the selected lines) into the draft below the cursor',
  },
  {
    action: 'response/pull-part',
    contexts: ['reading'],
    keys: ['P'],
    help: 'Pull only the part of the response under the cursor',
  },
  {
    action: 'response/pull-plain',
    contexts: ['list', 'reading', 'reading-visual', 'draft'],
    keys: ['g p'],
    help: 'Pull as plain text: the lines become notes of yours',
  },
  {
    action: 'draft/note-below',
    contexts: [...ANYWHERE],
    keys: ['o'],
    footer: 'note',
    help: 'Write a note below the line',
  },
  { action: 'draft/note-above', contexts: [...ANYWHERE], keys: ['O'], help: 'Write a note above the line' },
  {
    action: 'draft/send',
    contexts: [...ANYWHERE, 'draft-visual'],
    keys: ['s'],
    footer: 'send',
    help: 'Preview exactly what will be sent; Enter there sends it',
  },
  {
    action: 'list/open',
    contexts: ['list'],
    keys: ['Enter', 'l', 'Right'],
    footer: 'read',
    help: 'Read the marked response',
  },
  {
    action: 'draft/insert',
    contexts: ['draft'],
    keys: ['i'],
    footer: 'insert',
    help: 'Insert text before the cursor',
  },
  { action: 'draft/append', contexts: ['draft'], keys: ['a'], help: 'Insert text after the cursor' },
  {
    action: 'draft/insert-start',
    contexts: ['draft'],
    keys: ['I'],
    help: 'Insert text at the start of the line',
  },
  {
    action: 'draft/append-end',
    contexts: ['draft'],
    keys: ['A'],
    help: 'Insert text at the end of the line',
  },
  {
    action: 'draft/delete',
    contexts: ['draft'],
    keys: ['x', 'Delete'],
    help: 'Delete the character under the cursor',
  },
  { action: 'draft/delete-line', contexts: ['draft'], keys: ['d d'], help: 'Delete the line' },
  {
    action: 'draft/change-line',
    contexts: ['draft'],
    keys: ['S'],
    help: 'Write a note in place of the line',
  },
  { action: 'copy/line', contexts: ['draft'], keys: ['Y'], help: 'Copy the line' },
  {
    action: 'draft/put-below',
    contexts: ['draft'],
    keys: ['P'],
    help: 'Put the deleted or copied lines below',
  },
  {
    action: 'draft/delete-selection',
    contexts: ['draft-visual'],
    keys: ['x', 'd', 'Delete'],
    footer: 'delete',
    help: 'Delete the selected lines',
  },
  { action: 'draft/join', contexts: ['draft'], keys: ['J'], help: 'Join the line with the next one' },
  {
    action: 'draft/clear-pulled',
    contexts: ['draft'],
    keys: ['X'],
    help: 'Clear the pulled lines, keep the notes',
  },
  {
    action: 'edit/undo',
    contexts: ['draft'],
    keys: ['u'],
    footer: 'undo',
    help: 'Undo the last change of the draft',
  },
  { action: 'edit/redo', contexts: ['draft'], keys: ['Ctrl+R'], help: 'Redo what was undone' },
  {
    action: 'visual/start',
    contexts: ['reading', 'draft'],
    keys: ['v', 'V'],
    footer: 'select',
    help: 'Select lines',
  },
  {
    action: 'note/context',
    contexts: [...ANYWHERE, 'preview'],
    keys: ['c'],
    footer: 'context',
    help: 'How much of the answered line goes out with a note: nothing, a short quote, the full line',
  },
  {
    action: 'response/diff',
    contexts: ['list', 'reading'],
    keys: ['D'],
    footer: 'diff with previous',
    help: 'Compare the response with the one before it',
  },
  {
    action: 'response/code',
    contexts: ['list', 'reading'],
    keys: ['b'],
    footer: 'code blocks',
    help: 'Pick a code block of the response to copy',
  },
  {
    action: 'copy',
    contexts: [...ANYWHERE, 'reading-visual', 'draft-visual', 'panel'],
    keys: ['y'],
    help: 'Copy the response, the selection or the draft',
  },
  {
    action: 'edit/external',
    contexts: [...ANYWHERE],
    keys: ['E'],
    help: 'Open the response or the draft in $EDITOR',
  },
  { action: 'part/next', contexts: ['reading'], keys: [']'], help: 'Go to the next part of the response' },
  {
    action: 'part/previous',
    contexts: ['reading'],
    keys: ['['],
    help: 'Go to the previous part of the response',
  },
  { action: 'search/open', contexts: [...ANYWHERE], keys: ['/'], footer: 'search', help: 'Search' },
  { action: 'search/next', contexts: [...ANYWHERE], keys: ['n'], help: 'Next match' },
  { action: 'search/previous', contexts: [...ANYWHERE], keys: ['N'], help: 'Previous match' },
  {
    action: 'pane/answer',
    contexts: ['responses'],
    keys: ['g a'],
    help: 'Answer the question that the AI asks',
  },
  {
    action: 'delivery/press-enter',
    contexts: ['responses'],
    keys: ['g Enter'],
    help: 'Press Enter for a prompt that stands in the composer of the AI',
  },
  { action: 'responses/refresh', contexts: ['responses'], keys: ['r'], help: 'Look at the AI pane again' },

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

  { action: 'insert/left', contexts: ['insert'], keys: ['Left', 'Ctrl+B'], help: 'Left' },
  { action: 'insert/right', contexts: ['insert'], keys: ['Right', 'Ctrl+F'], help: 'Right' },
  { action: 'insert/up', contexts: ['insert'], keys: ['Up', 'Ctrl+P'], help: 'Up' },
  { action: 'insert/down', contexts: ['insert'], keys: ['Down', 'Ctrl+N'], help: 'Down' },
  {
    action: 'insert/line-start',
    contexts: ['insert'],
    keys: ['Home', 'Ctrl+A'],
    help: 'To the start of the line',
  },
  {
    action: 'insert/line-end',
    contexts: ['insert'],
    keys: ['End', 'Ctrl+E'],
    help: 'To the end of the line',
  },
  {
    action: 'insert/word',
    contexts: ['insert'],
    keys: ['Alt+f', 'Ctrl+Right', 'Alt+Right'],
    help: 'To the next word',
  },
  {
    action: 'insert/word-back',
    contexts: ['insert'],
    keys: ['Alt+b', 'Ctrl+Left', 'Alt+Left'],
    help: 'To the word before',
  },
  {
    action: 'insert/delete-back',
    contexts: ['insert'],
    keys: ['Backspace'],
    help: 'Delete the character before the cursor',
  },
  {
    action: 'insert/delete',
    contexts: ['insert'],
    keys: ['Delete', 'Ctrl+D'],
    help: 'Delete the character under the cursor',
  },
  {
    action: 'insert/delete-word',
    contexts: ['insert'],
    keys: ['Ctrl+W', 'Alt+Backspace'],
    help: 'Delete the word before the cursor',
  },
  {
    action: 'insert/delete-to-end',
    contexts: ['insert'],
    keys: ['Ctrl+K'],
    help: 'Delete to the end of the line',
  },
  {
    action: 'insert/delete-to-start',
    contexts: ['insert'],
    keys: ['Ctrl+U'],
    help: 'Delete to the start of the line',
  },
  { action: 'insert/yank', contexts: ['insert'], keys: ['Ctrl+Y'], help: 'Put back what was deleted last' },
  { action: 'insert/tab', contexts: ['insert'], keys: ['Tab'], help: 'A tab' },

  {
    action: 'menu/close',
    contexts: ['menu'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close',
  },
  {
    action: 'panel/close',
    contexts: ['panel'],
    keys: ['Esc', 'q', 'Ctrl+C'],
    footer: 'close',
    help: 'Close',
  },
  {
    action: 'focus/next',
    contexts: ['responses', 'list', 'reading', 'draft'],
    keys: ['Tab'],
    help: 'Next pane: list, response, draft',
  },
  {
    action: 'focus/previous',
    contexts: ['responses', 'list', 'reading', 'draft'],
    keys: ['Shift+Tab'],
    help: 'Previous pane',
  },
  { action: 'focus/back', contexts: ['reading', 'draft'], keys: ['Esc'], help: 'Back to the list' },
  { action: 'screen/responses', contexts: ['app'], keys: ['1'], help: 'Screen 1: Responses' },
  { action: 'screen/review', contexts: ['app'], keys: ['2'], help: 'Screen 2: Review' },
  { action: 'screen/agent', contexts: ['app'], keys: ['3'], help: 'Screen 3: Agent' },
  { action: 'screen/shell', contexts: ['app'], keys: ['4'], help: 'Screen 4: Shell' },
  {
    action: 'app/panes',
    contexts: ['app'],
    keys: ['t'],
    help: 'The AI panes and their states; choose the one to follow',
  },
  { action: 'app/palette', contexts: ['app'], keys: ['Ctrl+P', ':'], help: 'Every command, by name' },
  {
    action: 'app/help',
    contexts: ['app'],
    keys: ['?'],
    footer: 'help',
    help: 'The keys that are valid here',
  },
  { action: 'app/redraw', contexts: ['app', 'insert'], keys: ['Ctrl+L'], help: 'Draw the screen again' },
  {
    action: 'app/suspend',
    contexts: ['app', 'insert'],
    keys: ['Ctrl+Z'],
    help: 'Put copane into the background',
  },
  { action: 'app/quit', contexts: ['app'], keys: ['q', 'Ctrl+C'], help: 'Quit; the draft is kept' },
] as const satisfies readonly Binding[];

/** The name of an action. */
export type Action = (typeof TABLE)[number]['action'];

/** The table, in footer order. */
export const BINDINGS: readonly (Binding & { readonly action: Action })[] = TABLE;
