/** Every context's commands, in one place: what the key table may name here is run here. */
import type { Context } from '../keys/binding.ts';
import { agentChatCommands, agentListCommands, agentRowsCommands } from '../screens/agent/agent-commands.ts';
import { rollbackCommands } from '../screens/agent/rollback-commands.ts';
import { agentWriteCommands } from '../screens/agent/write-commands.ts';
import { draftCommands, draftVisualCommands } from '../screens/responses/draft-commands.ts';
import { insertCommands } from '../screens/responses/insert-commands.ts';
import { listCommands } from '../screens/responses/list-commands.ts';
import { previewCommands } from '../screens/responses/preview-commands.ts';
import { pullCommands, readingPullCommands } from '../screens/responses/pull-commands.ts';
import { readingCommands, readingVisualCommands } from '../screens/responses/reading-commands.ts';
import { responseCommands, selectionCommands } from '../screens/responses/response-commands.ts';
import { responsesCommands } from '../screens/responses/responses-commands.ts';
import { searchCommands } from '../screens/responses/search-commands.ts';
import { commentCommands } from '../screens/review/comment-commands.ts';
import {
  reviewCommands,
  reviewDiffCommands,
  reviewFilesCommands,
  reviewLinesCommands,
  reviewListCommands,
} from '../screens/review/review-commands.ts';
import { shellCommands } from '../screens/shell/shell-commands.ts';
import { appCommands } from './app-commands.ts';
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
