/** A tmux pane on the wire: enough to find the same pane again after a restart of the server. */
import * as z from 'zod';
import { cliIdSchema } from './cli-id.ts';

/** What the AI in a pane is doing. `waiting`: it asks; `suspended`: stopped (Ctrl+Z); `gone`: ended. */
export const agentStateSchema = z.enum(['working', 'waiting', 'idle', 'unknown', 'suspended', 'gone']);
export type AiState = z.infer<typeof agentStateSchema>;

/** Where a state was read, most trusted first. */
export const stateTrustSchema = z.enum(['hook', 'transcript', 'title', 'screen']);
export type StateTrust = z.infer<typeof stateTrustSchema>;

/** tmux restarts ids at %0 with a new server, so a pane is known by server, id and the pid of its first process. */
export const paneIdentitySchema = z.strictObject({
  socketPath: z.string(),
  serverPid: z.int(),
  /** `%N`. */
  paneId: z.string().regex(/^%\d+$/),
  /** `#{pane_pid}`: the first process of the pane. */
  panePid: z.int(),
});
export type PaneIdentity = z.infer<typeof paneIdentitySchema>;

/** An AI pane as it is listed: `copane status --json`, the `t` overlay, candidates of an ambiguous `--pane`. */
export const aiPaneSchema = z.strictObject({
  identity: paneIdentitySchema,
  /** `session:window.pane` by numbers, as tmux takes it. */
  label: z.string(),
  title: z.string(),
  cwd: z.string(),
  /** The branch that is checked out in `cwd`; null outside of a git repository, and for none. */
  branch: z.string().nullable(),
  cli: cliIdSchema,
  /** Pid of the AI CLI's own process, when the process tree shows it. */
  cliPid: z.int().nullable(),
  state: agentStateSchema,
  trust: stateTrustSchema.nullable(),
});
export type AiPane = z.infer<typeof aiPaneSchema>;
