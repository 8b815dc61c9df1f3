/** A tmux pane on the wire, with enough to find the same pane after the server restarts. */
import * as z from 'zod';
import { cliIdSchema } from './cli-id.ts';

/** What the AI in a pane is doing. `waiting`: it asks; `suspended`: stopped (Ctrl+Z); `gone`: ended. */
export const agentStateSchema = z.enum(['working', 'waiting', 'idle', 'unknown', 'suspended', 'gone']);
export type AiState = z.infer<typeof agentStateSchema>;

/** The source of a state, most trusted first. */
export const stateTrustSchema = z.enum(['hook', 'transcript', 'title', 'screen']);
export type StateTrust = z.infer<typeof stateTrustSchema>;

/** A new tmux server restarts ids at %0, so a pane is identified by server, id and the pid of its first process. */
export const paneIdentitySchema = z.strictObject({
  socketPath: z.string(),
  serverPid: z.int(),
  /** `%N`. */
  paneId: z.string().regex(/^%\d+$/),
  /** `#{pane_pid}`: the pane's first process. */
  panePid: z.int(),
});
export type PaneIdentity = z.infer<typeof paneIdentitySchema>;

/** An AI pane in lists: `copane status --json`, the `t` overlay, the candidates for an ambiguous `--pane`. */
export const aiPaneSchema = z.strictObject({
  identity: paneIdentitySchema,
  /** `session:window.pane` in numbers, as tmux accepts it. */
  label: z.string(),
  title: z.string(),
  cwd: z.string(),
  /** The branch checked out in `cwd`; null outside a git repository, or without a branch. */
  branch: z.string().nullable(),
  cli: cliIdSchema,
  /** Pid of the AI CLI's own process, if it is in the process tree. */
  cliPid: z.int().nullable(),
  state: agentStateSchema,
  trust: stateTrustSchema.nullable(),
});
export type AiPane = z.infer<typeof aiPaneSchema>;
