/** The user's configuration: each key with its default and one sentence. The JSON Schema is generated from it. */
import * as z from 'zod';
import { agentLimitsShape } from './agent-limits.ts';
import { agentModelsShape } from './agent-models.ts';
import { noteContextSchema } from './draft.ts';

/** `auto`: only if copane can read no transcript of the AI CLI. */
const markers = z
  .enum(['auto', 'always', 'never'])
  .default('auto')
  .describe('When the sent text is put between marker lines: auto = only for programs without a transcript.');

const keyChord = z.string().min(1).max(40);

/** A program and its arguments. */
const commandSchema = z.array(z.string().max(4096)).min(1).max(64);

export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('The address of this schema, for editors.'),
  markers,
  clear_on_send: z
    .boolean()
    .default(false)
    .describe('Empty the whole draft after delivery. false: the sent notes go, the response lines stay.'),
  note_context: noteContextSchema
    .default('bare')
    .describe(
      'What is sent with a note: bare = the note alone, quote = the answered lines as a quote, line = the one line above it.',
    ),
  theme: z.enum(['auto', 'light', 'dark']).default('auto').describe('Colours for a light or dark terminal.'),
  glyphs: z
    .enum(['unicode', 'ascii', 'plain'])
    .default('unicode')
    .describe(
      'Characters for lines and marks. plain = no boxes, no colour, one line after the other, for screen readers: as "copane tui --plain".',
    ),
  mouse: z
    .union([z.literal('auto'), z.boolean()])
    .default('auto')
    .describe(
      "Clicks, the wheel and selecting by drag in the companion: auto = where tmux's own option mouse is on. false: the mouse stays the terminal's, for selecting text.",
    ),
  keys: z
    .record(z.string(), z.union([keyChord, z.array(keyChord).max(8)]))
    .default({})
    .describe("Your own key chords by action; they replace that action's defaults."),
  log_level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe(
      'How much is written to copane.log in the state folder. debug: every command and call of tmux with its time; never a text.',
    ),
  tcp: z
    .union([z.boolean(), z.literal('auto')])
    .default('auto')
    .describe(
      'The suggestion protocol on a TCP port of this machine while copane leads: auto = when the port is free, true = and say so for as long as it is not, false = by the Unix socket alone.',
    ),
  tcp_host: z
    .string()
    .min(1)
    .max(253)
    .default('127.0.0.1')
    .describe('Where the TCP port listens; $SUGGESTION_MANAGER_HOST wins.'),
  tcp_port: z.coerce
    .number()
    .int()
    .min(1)
    .max(65535)
    .default(4097)
    .describe('The TCP port; $SUGGESTION_MANAGER_PORT wins.'),
  auth: z
    .enum(['token', 'none'])
    .default('token')
    .describe(
      'none: anyone who can reach the TCP port may decide; for old clients on a machine with one user.',
    ),
  feedback_log: z
    .string()
    .regex(/^~?\/./, 'must be an absolute path, or begin with ~/')
    .max(4096)
    .nullable()
    .default(null)
    .describe(
      'Where every decision of a review is logged, one JSON line each. null: feedback.jsonl in the state folder.',
    ),
  on_status: z
    .boolean()
    .default(false)
    .describe('Show in the header what an AI says about its work on a suggestion.'),
  notify: z
    .array(z.enum(['bell', 'message']))
    .max(2)
    .default([])
    .describe(
      'How you are called when an AI waits for you or is done, unless its pane is in view: "bell" = the bell of the companion\'s terminal, "message" = a message of tmux.',
    ),
  notify_command: commandSchema
    .nullable()
    .default(null)
    .describe(
      'A command for the same moments, as program and arguments: ["notify-send", "An AI calls"]. It gets $COPANE_CLI, $COPANE_STATE, $COPANE_CALL, $COPANE_PANE, $COPANE_PLACE, $COPANE_FOLDER, $COPANE_TITLE and $COPANE_SEEN.',
    ),
  on_state: commandSchema
    .nullable()
    .default(null)
    .describe(
      "A command for every change of an AI's state (working, waiting, idle, suspended, gone), in view or not, with the same variables.",
    ),
  feedback_to_pane: z
    .boolean()
    .default(false)
    .describe(
      'Type the decisions on a suggestion into the pane of the AI that works in its folder, when it is idle and its input is empty.',
    ),
  completion_model: z
    .enum(['none', 'llama-server', 'openai', 'gguf'])
    .default('none')
    .describe(
      'A language model beside the completions of the shell, which never wait for it: a llama-server, any server with OpenAI\'s chat completions, or a GGUF file (see "copane model").',
    ),
  completion_model_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .nullable()
    .default(null)
    .describe(
      'Where the server listens (llama-server: http://127.0.0.1:8080 without; openai: up to and with /v1); with gguf, where the file may be downloaded from.',
    ),
  completion_model_name: z
    .string()
    .min(1)
    .max(512)
    .nullable()
    .default(null)
    .describe(
      "The model's name at the server; with gguf, the file, by its path or its name in the models' folder.",
    ),
  completion_model_key: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable, not the key itself')
    .nullable()
    .default(null)
    .describe("The name of the environment variable that holds the server's key."),
  completion_model_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .nullable()
    .default(null)
    .describe('Checksum of the GGUF file; without one no download is offered.'),
  ...agentModelsShape,
  ...agentLimitsShape,
  revert_on_reject: z
    .boolean()
    .default(true)
    .describe(
      'Remove a rejected hunk from the sandbox that it came from, and give a modified one the same text there; only in your own files.',
    ),
  stage_on_accept: z
    .boolean()
    .default(false)
    .describe('In a review of your own working tree: "git add" what is accepted.'),
  commit_on_finalize: z
    .boolean()
    .default(false)
    .describe('In a git repository, completing a review commits what was accepted, and nothing else.'),
  auto_sync: z
    .boolean()
    .default(false)
    .describe('The last decision on a suggestion finalizes it, with a commit of what was accepted.'),
  jj_finalize: z
    .enum(['none', 'squash', 'push'])
    .default('none')
    .describe(
      'Completing a review of a jj sandbox: squash = its change is folded into yours, push = and yours is pushed to the bookmarks on it (jj git push), if it holds nothing but what was accepted.',
    ),
  editor: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe('The editor command, with arguments. null: $VISUAL, then $EDITOR.'),
});

/** The configuration with all defaults filled in. */
export type Config = Omit<z.output<typeof configSchema>, '$schema'>;
export type ConfigKey = keyof Config;

/** The keys whose values the user sets, in the schema's order. */
export const CONFIG_KEYS = Object.keys(configSchema.shape).filter(
  (key) => key !== '$schema',
) as readonly ConfigKey[];
