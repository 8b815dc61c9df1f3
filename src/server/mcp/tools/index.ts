/** The tools that an AI is offered: one file each. A new one is written beside these and named here. */
import type { McpTool } from '../tool.ts';
import { awaitReview } from './await-review.ts';
import { completeSuggestion } from './complete-suggestion.ts';
import { fileMap } from './file-map.ts';
import { getSuggestion } from './get-suggestion.ts';
import { listSuggestions } from './list-suggestions.ts';
import { publishSuggestion } from './publish-suggestion.ts';
import { replyToComment } from './reply-to-comment.ts';
import { suggestionFeedback } from './suggestion-feedback.ts';
import { suggestionStatus } from './suggestion-status.ts';

/** In the order in which an AI needs them. */
export const TOOLS: readonly McpTool[] = [
  publishSuggestion,
  awaitReview,
  replyToComment,
  suggestionStatus,
  listSuggestions,
  getSuggestion,
  completeSuggestion,
  suggestionFeedback,
  fileMap,
];
