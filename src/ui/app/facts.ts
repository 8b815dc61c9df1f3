/** Builds the facts of a moment, with the surface's caches. */

import { createLineWrapper } from '../../lib/text-layout.ts';
import { createLayChat } from '../agent/chat-rows.ts';
import { createChatEntries } from '../agent/entries.ts';
import { type Keymap, keyOf } from '../kit/keys/keymap.ts';
import { createDiffRows } from '../responses/diff-rows.ts';
import { createOutgoingReader } from '../responses/outgoing.ts';
import { createLineCounter, createReadingDocs } from '../responses/reading-docs.ts';
import { createReviewDocs } from '../review/docs.ts';
import { runAction } from './handle-key.ts';
import type { Action } from './key-table.ts';
import type { AppFacts } from './model.ts';
import type { NoticeView, UiPorts } from './ports.ts';

interface FactsOptions {
  readonly ports: UiPorts;
  readonly keymap: Keymap<Action>;
  readonly clearOnSend: boolean;
  readonly isDraftLoaded: () => boolean;
  readonly colorsOf: AppFacts['colorsOf'];
  readonly codeStyles: AppFacts['codeStyles'];
}

const NO_NOTICES: NoticeView = { openToAll: false, notices: [], progress: null, error: null };

/** Returns the current facts on each call. */
export function createFacts({ ports, isDraftLoaded, ...given }: FactsOptions): () => AppFacts {
  const { keymap } = given;
  const lasting = {
    ...given,
    startable: () => ports.system.startable(),
    docs: createReadingDocs(),
    linesOf: createLineCounter(),
    spansAt: createLineWrapper(),
    diffRows: createDiffRows(),
    chatEntries: createChatEntries(),
    layChat: createLayChat(),
    reviewDocs: createReviewDocs(),
    readOutgoing: createOutgoingReader(),
  };
  return () => {
    const facts: AppFacts = {
      ...lasting,
      view: ports.responses.getSnapshot(),
      review: ports.review.getSnapshot(),
      agent: ports.agent.getSnapshot(),
      shell: ports.shell.getSnapshot(),
      notices: ports.notices?.getSnapshot() ?? NO_NOTICES,
      isDraftLoaded: isDraftLoaded(),
      now: ports.clock.now(),
      keyOf: (action, contexts) => keyOf(keymap, action, contexts),
      run: (state, action, contexts) => runAction(state, action, contexts, facts),
    };
    return facts;
  };
}
