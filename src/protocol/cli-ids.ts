/** The names of the AI CLIs that copane knows, apart from their schema, so that a short command loads no schemas. */
export const AI_CLIS = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider'] as const;

/** The same with the scripted AI of the tour, and `generic` for any other program. */
export const CLI_IDS = [...AI_CLIS, 'tour', 'generic'] as const;
