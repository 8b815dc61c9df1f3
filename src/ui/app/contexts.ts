/** Which contexts of the key table are active, the narrowest first. Pure. */
import type { Context } from '../kit/keys/binding.ts';
import { placeIn, selectedTurn } from '../responses/state.ts';
import type { ResponsesView } from './ports.ts';
import type { AppState, Overlay } from './state.ts';

/** What lies over the screen gets every key; below it the pane in focus, then the screen, then the application. */
export function contextsOf(state: AppState, view: ResponsesView): readonly Context[] {
  if (state.overlay !== null) return [overlayContext(state.overlay)];
  if (state.screen === 'review') return reviewContexts(state);
  if (state.screen === 'shell') return ['shell', 'app'];
  if (state.screen === 'agent') return agentContexts(state);
  switch (state.responses.focus) {
    case 'list':
      return ['list', 'responses', 'app'];
    case 'reading': {
      const turn = selectedTurn(state.responses, view.turns);
      const isSelecting = turn !== null && placeIn(state.responses, turn.id).anchor !== null;
      return isSelecting ? ['reading-visual', 'app'] : ['reading', 'responses', 'app'];
    }
    case 'draft':
      if (state.draft.mode === 'insert') return ['insert'];
      return state.draft.mode === 'visual' ? ['draft-visual', 'app'] : ['draft', 'responses', 'app'];
  }
}

function agentContexts({ agent }: AppState): readonly Context[] {
  switch (agent.focus) {
    case 'list':
      return ['agent-list', 'app'];
    case 'chat':
      return ['agent-chat', 'app'];
    case 'rows':
      return ['agent-rows', 'app'];
    case 'write':
      return ['agent-write'];
  }
}

function reviewContexts({ review }: AppState): readonly Context[] {
  if (review.suggestion === null) return ['review-list', 'review', 'app'];
  if (review.anchor !== null) return ['review-lines', 'review', 'app'];
  return [review.focus === 'files' ? 'review-files' : 'review-diff', 'review', 'app'];
}

function overlayContext(overlay: Overlay): Context {
  switch (overlay.kind) {
    case 'help':
    case 'diff':
      return 'panel';
    case 'palette':
      return 'filter';
    case 'panes':
    case 'code':
    case 'checkpoints':
    case 'rollback-scope':
    case 'add-context':
      return 'menu';
    case 'preview':
    case 'confirm':
    case 'prompt':
    case 'comment':
    case 'answer':
    case 'rollback':
      return overlay.kind;
  }
}
