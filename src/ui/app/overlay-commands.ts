/** Commands of what lies over the screen: menus, help, questions, the search line. */

import { graphemesOf } from '../../lib/width.ts';
import type { CodeBlock } from '../../responses/core/code-blocks.ts';
import { chooseContext, contextChoiceRows } from '../agent/context-menu.ts';
import { checkpointRows, chooseRollback, scopeRows } from '../agent/rollback-commands.ts';
import { areaOf } from '../kit/layout.ts';
import { diffText } from '../responses/diff-rows.ts';
import { acceptSearch } from '../responses/search-commands.ts';
import { acceptReviewSearch } from '../review/review-commands.ts';
import { paneName } from './chrome.ts';
import { done, type Facts, type Handler, type Handlers, type Outcome, say } from './handler.ts';
import { helpRowsOf, paletteActions } from './overlay-content.ts';
import { paneKey } from './ports.ts';
import type { AppState, Overlay } from './state.ts';

const close: Handler = (state) => done({ ...state, overlay: null });

/** How many rows or entries an overlay has, and how many fit. */
export function overlayExtent(
  state: AppState,
  overlay: Overlay,
  facts: Facts,
): { readonly total: number; readonly page: number } {
  const page = Math.max(1, areaOf(state.size).rows - 1);
  switch (overlay.kind) {
    case 'help':
      return { total: helpRowsOf(overlay, facts, state.size.columns).length, page };
    case 'diff':
      return { total: facts.diffRows(overlay.diff, state.size.columns).length, page };
    case 'palette':
      return { total: paletteActions(overlay, facts).length, page };
    case 'panes':
      return { total: facts.view.panes.length, page };
    case 'code':
      return { total: overlay.blocks.length, page };
    case 'answer':
      return { total: overlay.options.length, page };
    case 'checkpoints':
      return { total: checkpointRows(facts).length, page };
    case 'rollback-scope':
      return { total: scopeRows(facts, overlay.checkpoint).length, page };
    case 'add-context':
      return { total: contextChoiceRows(overlay).length, page };
    case 'preview':
    case 'confirm':
    case 'prompt':
    case 'comment':
    case 'rollback':
      return { total: 0, page };
  }
}

/** Moves the mark of a menu or the top of a panel. */
function move(delta: (page: number, total: number) => number): Handler {
  return (state, facts) => {
    const { overlay } = state;
    if (overlay === null) return done(state);
    const { total, page } = overlayExtent(state, overlay, facts);
    if (overlay.kind === 'help' || overlay.kind === 'diff') {
      const top = Math.max(0, Math.min(overlay.top + delta(page, total), total - page));
      return done(top === overlay.top ? state : { ...state, overlay: { ...overlay, top } });
    }
    if (!('cursor' in overlay)) return done(state);
    const cursor = Math.max(0, Math.min(overlay.cursor + delta(page, total), total - 1));
    return done(cursor === overlay.cursor ? state : { ...state, overlay: { ...overlay, cursor } });
  };
}

/** Movement that menus and panels share. */
const movementCommands: Handlers = {
  'move/down': move(() => 1),
  'move/up': move(() => -1),
  'move/page-down': move((page) => page),
  'move/page-up': move((page) => -page),
  'move/half-down': move((page) => Math.ceil(page / 2)),
  'move/half-up': move((page) => -Math.ceil(page / 2)),
  'move/first': move((_, total) => -total),
  'move/last': move((_, total) => total),
};

export const panelCommands: Handlers = {
  ...movementCommands,
  'panel/close': close,
  copy: (state) => {
    const { overlay } = state;
    if (overlay?.kind !== 'diff') return done(state);
    return done(state, { kind: 'copy', text: diffText(overlay.diff), what: 'the diff' });
  },
};

/** Something with the marked code block, the menu closed. */
const withBlock =
  (use: (block: CodeBlock, state: AppState, facts: Facts) => Outcome): Handler =>
  (state, facts) => {
    const { overlay } = state;
    const block = overlay?.kind === 'code' ? overlay.blocks[overlay.cursor] : undefined;
    return block === undefined ? done(state) : use(block, { ...state, overlay: null }, facts);
  };

/** What begins a file of a diff, however it was made. */
const DIFF_START = /^(?:diff --git |--- |@@ |Index: )/m;

const codeCommands: Handlers = {
  'code/save': withBlock((block, state) =>
    done({ ...state, overlay: { kind: 'prompt', query: '', save: block.text } }),
  ),
  'code/review': withBlock((block, state, facts) =>
    DIFF_START.test(block.text)
      ? done(state, { kind: 'offer-patch', patch: block.text })
      : say(state, facts, 'warn', 'This block is no diff: copy it with Enter, or save it with w'),
  ),
};

export const menuCommands: Handlers = {
  ...movementCommands,
  ...codeCommands,
  'menu/close': close,
  'menu/choose': (state, facts) => {
    const { overlay } = state;
    if (overlay?.kind === 'checkpoints' || overlay?.kind === 'rollback-scope')
      return chooseRollback(state, facts);
    if (overlay?.kind === 'add-context') return chooseContext(state, facts, overlay);
    if (overlay?.kind === 'panes') return choosePane(state, overlay.cursor, facts);
    if (overlay?.kind !== 'code') return done(state);
    const block = overlay.blocks[overlay.cursor];
    const closed = { ...state, overlay: null };
    if (block === undefined) return done(closed);
    return done(closed, { kind: 'copy', text: block.text, what: 'the code block' });
  },
};

function choosePane(state: AppState, cursor: number, facts: Facts): Outcome {
  const pane = facts.view.panes[cursor];
  const closed: AppState = { ...state, overlay: null };
  if (pane === undefined) return done(closed);
  return say(closed, facts, 'info', `Following ${paneName(pane.cli)} in ${pane.label}`, {
    kind: 'select-pane',
    key: paneKey(pane.identity),
  });
}

const editQuery =
  (edit: (query: string) => string): Handler =>
  (state) => {
    const { overlay } = state;
    if (overlay?.kind === 'prompt')
      return done({ ...state, overlay: { ...overlay, query: edit(overlay.query) } });
    if (overlay?.kind !== 'palette') return done(state);
    return done({ ...state, overlay: { ...overlay, query: edit(overlay.query), cursor: 0 } });
  };

const queryCommands: Handlers = {
  'query/delete-back': editQuery((query) => graphemesOf(query).slice(0, -1).join('')),
  'query/clear': editQuery(() => ''),
};

export const filterCommands: Handlers = {
  ...queryCommands,
  'filter/down': move(() => 1),
  'filter/up': move(() => -1),
  'filter/close': close,
  'filter/choose': (state, facts) => {
    const { overlay } = state;
    if (overlay?.kind !== 'palette') return done(state);
    const chosen = paletteActions(overlay, facts)[overlay.cursor];
    const closed: AppState = { ...state, overlay: null };
    return chosen === undefined ? done(closed) : facts.run(closed, chosen.action, overlay.contexts);
  },
};

export const promptCommands: Handlers = {
  ...queryCommands,
  'prompt/cancel': close,
  'prompt/accept': (state, facts) =>
    state.overlay?.kind === 'prompt' ? acceptPrompt(state, facts, state.overlay) : done(state),
};

function acceptPrompt(
  state: AppState,
  facts: Facts,
  { query, save, context }: Extract<Overlay, { kind: 'prompt' }>,
): Outcome {
  if (context === true) return acceptContextFile(state, facts, query.trim());
  if (save !== undefined) return acceptFileName(state, facts, query.trim(), save);
  return state.screen === 'review'
    ? acceptReviewSearch(state, facts, query)
    : acceptSearch(state, facts, query);
}

export const confirmCommands: Handlers = {
  'confirm/no': close,
  'confirm/yes': (state) => {
    const { overlay } = state;
    return overlay?.kind === 'confirm' ? done({ ...state, overlay: null }, ...overlay.effects) : done(state);
  },
};

export const answerCommands: Handlers = {
  'move/down': move(() => 1),
  'move/up': move(() => -1),
  'answer/cancel': close,
  'answer/choose': (state, facts) => {
    const { overlay } = state;
    if (overlay?.kind !== 'answer') return done(state);
    const option = overlay.options[overlay.cursor];
    const closed: AppState = { ...state, overlay: null };
    if (option === undefined) return done(closed);
    return say(closed, facts, 'info', `Answering "${option.label}"`, {
      kind: 'answer',
      option: option.key,
      dialog: overlay.dialog,
    });
  },
};

function acceptContextFile(state: AppState, facts: Facts, path: string): Outcome {
  const closed: AppState = { ...state, overlay: null };
  if (path === '') return say(closed, facts, 'info', 'No file was named');
  return done(closed, { kind: 'agent-row', of: { kind: 'file', path } });
}

function acceptFileName(state: AppState, facts: Facts, name: string, text: string): Outcome {
  const closed: AppState = { ...state, overlay: null };
  if (name === '') return say(closed, facts, 'info', 'Nothing was saved: no name was given');
  return done(closed, { kind: 'save', name, text });
}
