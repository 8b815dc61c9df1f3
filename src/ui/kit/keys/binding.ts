/** What one row of the key table is, and where keys are valid. */

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
  'review',
  'review-list',
  'review-files',
  'review-diff',
  'review-lines',
  'agent-list',
  'agent-chat',
  'agent-rows',
  'agent-write',
  'rollback',
  'shell',
  'panel',
  'menu',
  'filter',
  'preview',
  'confirm',
  'prompt',
  'comment',
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
  review: 'Review',
  'review-list': 'List of suggestions',
  'review-files': 'Files of a suggestion',
  'review-diff': 'Diff',
  'review-lines': 'Diff, lines selected',
  'agent-list': 'List of sessions',
  'agent-chat': 'Agent',
  'agent-rows': 'Context rows',
  'agent-write': 'Writing to the agent',
  rollback: 'Preview of a rollback',
  shell: 'Shell',
  panel: 'Help and diff',
  menu: 'Menus',
  filter: 'Command palette',
  preview: 'Preview before sending',
  confirm: 'A question',
  prompt: 'Search line',
  comment: 'Writing a comment',
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
