/** Builds the facts of a moment, with the surface's caches. */

import { createLineWrapper } from '../../lib/text-layout.ts';
import { createLayChat } from '../agent/chat-rows.ts';
import { createChatEntries } from '../agent/entries.ts';
import type { AgentView } from '../agent/port.ts';
import { type Keymap, keyOf } from '../kit/keys/keymap.ts';
import { createDiffRows } from '../responses/diff-rows.ts';
import { createOutgoingReader } from '../responses/outgoing.ts';
import type { ResponsesView } from '../responses/port.ts';
import { createLineCounter, createReadingDocs } from '../responses/reading-docs.ts';
import { createReviewDocs } from '../review/docs.ts';
import type { ReviewView } from '../review/port.ts';
import type { ShellView } from '../shell/port.ts';
import { runAction } from './handle-key.ts';
import type { Action } from './key-table.ts';
import type { AppFacts } from './model.ts';
import type { NoticeView } from './ports.ts';

export interface FactsOptions {
  readonly keymap: Keymap<Action>;
  readonly now: () => number;
  readonly getView: () => ResponsesView;
  readonly getReview: () => ReviewView;
  readonly getAgent: () => AgentView;
  readonly getShell: () => ShellView;
  readonly getNotices: () => NoticeView;
  readonly startable: () => readonly string[];
  readonly clearOnSend: boolean;
  readonly isDraftLoaded: () => boolean;
  readonly colorsOf: AppFacts['colorsOf'];
  readonly codeStyles: AppFacts['codeStyles'];
}

/** Returns the current facts on each call. */
export function createFacts({
  keymap,
  now,
  getView,
  getReview,
  getAgent,
  getShell,
  getNotices,
  startable,
  clearOnSend,
  isDraftLoaded,
  colorsOf,
  codeStyles,
}: FactsOptions): () => AppFacts {
  const lasting = {
    keymap,
    startable,
    clearOnSend,
    colorsOf,
    codeStyles,
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
      view: getView(),
      review: getReview(),
      agent: getAgent(),
      shell: getShell(),
      notices: getNotices(),
      isDraftLoaded: isDraftLoaded(),
      now: now(),
      keyOf: (action, contexts) => keyOf(keymap, action, contexts),
      run: (state, action, contexts) => runAction(state, action, contexts, facts),
    };
    return facts;
  };
}
