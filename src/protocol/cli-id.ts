/** The AI CLIs that copane knows by name. Any other program is `generic` and needs markers. */
import * as z from 'zod';
import { CLI_IDS } from './cli-ids.ts';

export const cliIdSchema = z.enum(CLI_IDS);
export type CliId = z.infer<typeof cliIdSchema>;
