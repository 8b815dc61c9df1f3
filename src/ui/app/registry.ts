/** Every context's commands, in one place: what the key table may name here is run here. */

import { agentChatCommands, agentListCommands, agentRowsCommands } from '../agent/agent-commands.ts';
import { rollbackCommands } from '../agent/rollback-commands.ts';
import { agentWriteCommands } from '../agent/write-commands.ts';
import type { Context } from '../kit/keys/binding.ts';
import { draftCommands, draftVisualCommands } from '../responses/draft-commands.ts';
import { insertCommands } from '../responses/insert-commands.ts';
import { listCommands } from '../responses/list-commands.ts';
import { previewCommands } from '../responses/preview-commands.ts';
import { pullCommands, readingPullCommands } from '../responses/pull-commands.ts';
import { readingCommands, readingVisualCommands } from '../responses/reading-commands.ts';
import { responseCommands, selectionCommands } from '../responses/response-commands.ts';
import { responsesCommands } from '../responses/responses-commands.ts';
import { searchCommands } from '../responses/search-commands.ts';
import { commentCommands } from '../review/comment-commands.ts';
import {
  reviewCommands,
  reviewDiffCommands,
  reviewFilesCommands,
  reviewLinesCommands,
  reviewListCommands,
} from '../review/review-commands.ts';
import { shellCommands } from '../shell/shell-commands.ts';
import { appCommands } from './commands.ts';
import type { Handlers } from './handler.ts';
import {
  answerCommands,
  confirmCommands,
  filterCommands,
  menuCommands,
  panelCommands,
  promptCommands,
} from './overlay-commands.ts';

export const HANDLERS: Readonly<Record<Context, Handlers>> = {
  app: appCommands,
  responses: responsesCommands,
  list: { ...responsesCommands, ...responseCommands, ...pullCommands, ...searchCommands, ...listCommands },
  reading: {
    ...responsesCommands,
    ...responseCommands,
    ...pullCommands,
    ...readingPullCommands,
    ...searchCommands,
    ...readingCommands,
  },
  'reading-visual': { ...responsesCommands, ...pullCommands, ...readingVisualCommands, ...selectionCommands },
  draft: { ...responsesCommands, ...pullCommands, ...searchCommands, ...draftCommands },
  'draft-visual': { ...responsesCommands, ...draftVisualCommands },
  insert: { ...appCommands, ...insertCommands },
  review: reviewCommands,
  'review-list': reviewListCommands,
  'review-files': reviewFilesCommands,
  'review-diff': reviewDiffCommands,
  'review-lines': reviewLinesCommands,
  'agent-list': agentListCommands,
  'agent-chat': agentChatCommands,
  'agent-rows': agentRowsCommands,
  'agent-write': { ...appCommands, ...agentWriteCommands },
  rollback: rollbackCommands,
  shell: shellCommands,
  panel: panelCommands,
  menu: menuCommands,
  filter: filterCommands,
  preview: previewCommands,
  confirm: confirmCommands,
  prompt: promptCommands,
  comment: commentCommands,
  answer: answerCommands,
};
