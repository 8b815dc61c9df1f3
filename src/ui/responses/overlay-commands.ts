/** Commands of the Responses screen's overlays: code blocks, diff, the AI's question, prompts. */
import type { CodeBlock } from '../../responses/core/code-blocks.ts';
import { diffText } from './diff-rows.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOutcome,
  say,
} from './model.ts';
import { acceptSearch } from './search-commands.ts';
import { chooseSession } from './sessions.ts';

/** Closes the menu and acts on the marked code block. */
const withBlock =
  (
    use: (block: CodeBlock, state: ResponsesModel, facts: ResponsesFacts) => ResponsesOutcome,
  ): ResponsesHandler =>
  (state, facts) => {
    const { overlay } = state;
    const block = overlay?.kind === 'code' ? overlay.blocks[overlay.cursor] : undefined;
    return block === undefined ? done(state) : use(block, { ...state, overlay: null }, facts);
  };

/** How a diff begins in the common formats. */
const DIFF_START = /^(?:diff --git |--- |@@ |Index: )/m;

const copyBlock = withBlock((block, state) =>
  done(state, { kind: 'copy', text: block.text, what: 'the code block' }),
);

export const menuCommands: ResponsesHandlers = {
  'menu/choose': (state, facts) =>
    state.overlay?.kind === 'sessions' ? chooseSession(state, state.overlay, facts) : copyBlock(state, facts),
  'sessions/search': (state) =>
    state.overlay?.kind === 'sessions'
      ? done({
          ...state,
          overlay: {
            kind: 'prompt',
            query: state.overlay.words ?? '',
            sign: 'Search all: ',
            purpose: 'sessions',
          },
        })
      : done(state),
  'code/save': withBlock((block, state) =>
    done({
      ...state,
      overlay: { kind: 'prompt', query: '', sign: 'Save as: ', purpose: { save: block.text } },
    }),
  ),
  'code/review': withBlock((block, state, facts) =>
    DIFF_START.test(block.text)
      ? done(state, { kind: 'offer-patch', patch: block.text })
      : say(state, facts, 'warn', 'This block is not a diff: copy it with Enter, or save it with w'),
  ),
};

export const diffCommands: ResponsesHandlers = {
  copy: (state) => {
    const { overlay } = state;
    if (overlay?.kind !== 'diff') return done(state);
    return done(state, { kind: 'copy', text: diffText(overlay.diff), what: 'the diff' });
  },
};

/** Accepts the typed line: a search, a new file's name, the text of an answer. */
export const acceptPrompt: ResponsesHandler = (state, facts) => {
  const { overlay } = state;
  if (overlay?.kind !== 'prompt') return done(state);
  const { query, purpose } = overlay;
  if (purpose === 'search') return acceptSearch(state, facts, query);
  const closed: ResponsesModel = { ...state, overlay: null };
  if (purpose === 'sessions')
    return done(closed, { kind: 'list-sessions', words: query.trim() === '' ? null : query });
  if ('answer' in purpose) {
    if (query.trim() === '') return say(closed, facts, 'info', 'Nothing was answered: no words were given');
    return done(closed, { kind: 'answer', wanted: { ...purpose.answer, words: query } });
  }
  const name = query.trim();
  if (name === '') return say(closed, facts, 'info', 'Nothing was saved: no name was given');
  return done(closed, { kind: 'save', name, text: purpose.save });
};
