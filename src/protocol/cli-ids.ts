/** The names of the AI CLIs that copane knows, apart from their schema: a short command loads no schemas. */
export const CLI_IDS = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider', 'generic'] as const;
