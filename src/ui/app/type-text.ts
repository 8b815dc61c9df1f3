/** Typed and pasted text: into the draft, the search line or the palette; elsewhere a paste says where it can go. */
import { changeEditor, startWriting } from '../agent/write-commands.ts';
import { typeInDraft } from '../responses/draft-commands.ts';
import { changeComment } from '../review/comment-commands.ts';
import { done, type Facts, type Outcome, say } from './handler.ts';
import type { AppState, Overlay } from './state.ts';

/** A search or palette line does not grow beyond this. */
export const QUERY_MAX_CHARACTERS = 500;

/** Takes text that no key matched. */
export function typeText(state: AppState, text: string, how: 'type' | 'paste', facts: Facts): Outcome {
  const { overlay } = state;
  if (overlay?.kind === 'comment')
    return done(changeComment(state, { type: how === 'paste' ? 'draft/paste' : 'draft/type', text }));
  if (overlay !== null) return done(typeInOverlay(state, overlay, text));
  if (state.screen === 'agent' && (state.agent.focus === 'write' || how === 'paste'))
    return typeToAgent(state, text, how, facts);
  const isDraft = state.screen === 'responses' && state.responses.focus === 'draft';
  if (isDraft && (state.draft.mode === 'insert' || how === 'paste')) return typeInDraft(state, text, how);
  if (how === 'paste')
    return say(
      state,
      facts,
      'info',
      'Pasted text goes into the draft: Tab there, or o for a note, and paste again.',
    );
  return done(state);
}

/** A paste begins to write where nobody was writing. */
function typeToAgent(state: AppState, text: string, how: 'type' | 'paste', facts: Facts): Outcome {
  const writing = state.agent.focus === 'write' ? state : startWriting(state, facts).state;
  return changeEditor(writing, { type: how === 'paste' ? 'draft/paste' : 'draft/type', text });
}

function typeInOverlay(state: AppState, overlay: Overlay, text: string): AppState {
  if (overlay.kind === 'prompt' || overlay.kind === 'palette') {
    const query = (overlay.query + text.replace(/\s*\n\s*/g, ' ')).slice(0, QUERY_MAX_CHARACTERS);
    return {
      ...state,
      overlay: overlay.kind === 'prompt' ? { ...overlay, query } : { ...overlay, query, cursor: 0 },
    };
  }
  if (overlay.kind === 'answer') {
    const index = overlay.options.findIndex((option) => option.key === text);
    return index === -1 ? state : { ...state, overlay: { ...overlay, cursor: index } };
  }
  return state;
}
