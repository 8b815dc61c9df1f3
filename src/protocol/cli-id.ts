/** The AI CLIs that copane knows by name. Anything else in a pane is `generic`: it works by markers. */
import * as z from 'zod';

export const CLI_IDS = ['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider', 'generic'] as const;
export const cliIdSchema = z.enum(CLI_IDS);
export type CliId = z.infer<typeof cliIdSchema>;
