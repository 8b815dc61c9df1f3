/** The names of the AI CLIs that copane knows, without their schema, so that a short command loads no schemas. */
export const AI_CLIS = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider'] as const;

/** The same, plus the tour's scripted AI, and `generic` for any other program. */
export const CLI_IDS = [...AI_CLIS, 'tour', 'generic'] as const;
