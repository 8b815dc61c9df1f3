/** Events of the hooks of AI CLIs, in one form. Pure: parses a line of the spool into an event, or null. */
import type { CliId } from '../../protocol/cli-id.ts';
import { CLI_IDS } from '../../protocol/cli-ids.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { AiState } from '../../protocol/pane.ts';
import { askedByGemini } from '../transcripts/asked.ts';
import { asObject, asString, parseJson } from '../transcripts/json.ts';

/** One report of an AI CLI about one of its sessions. */
export interface HookEvent {
  readonly cli: CliId;
  /** The reporting process: the AI CLI itself, or its server. */
  readonly pid: number;
  readonly sessionId: string;
  /** The session's file; null if not reported. */
  readonly path: string | null;
  /** The state of the session from now on; null: unchanged. */
  readonly state: AiState | null;
  /** The call that it asks permission for; null if not reported. */
  readonly asked: AskedCall | null;
  /** The prompt that was just accepted. */
  readonly prompt: string | null;
  /** Whether the reporter is certainly the session of its pane: a side task also reports the end of its turn. */
  readonly own: boolean;
}

const STATES: Readonly<Record<string, AiState>> = {
  SessionStart: 'idle',
  UserPromptSubmit: 'working',
  BeforeAgent: 'working',
  PermissionRequest: 'waiting',
  Working: 'working',
  PermissionReplied: 'working',
  Stop: 'idle',
  StopFailure: 'idle',
  Interrupt: 'idle',
  AfterAgent: 'idle',
  SessionEnd: 'unknown',
};

/** Notifications that are a question. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'permission_prompt',
  'elicitation_dialog',
  'agent_needs_input',
  'ToolPermission',
]);

/** Parses a line of the spool; null if it is irrelevant or damaged. */
export function parseHookLine(line: string): HookEvent | null {
  const record = asObject(parseJson(line));
  const event = asObject(record?.event);
  const pid = record?.pid;
  const name = asString(record?.cli)?.replace(/-notify$/, '');
  const cli = CLI_IDS.find((id) => id === name);
  if (typeof pid !== 'number' || event === null || cli === undefined) return null;
  const teller = { cli, pid };
  return asString(event.type) === 'agent-turn-complete' ? turnComplete(teller, event) : named(teller, event);
}

type Teller = Pick<HookEvent, 'cli' | 'pid'>;

/** Codex's `notify`, which also reports side tasks, such as a title for the session. */
function turnComplete(teller: Teller, event: Readonly<Record<string, unknown>>): HookEvent | null {
  const sessionId = asString(event['thread-id']);
  if (sessionId === null) return null;
  return { ...teller, sessionId, path: null, state: 'idle', asked: null, prompt: null, own: false };
}

function named(teller: Teller, event: Readonly<Record<string, unknown>>): HookEvent | null {
  const sessionId = asString(event.session_id);
  const name = asString(event.hook_event_name);
  if (sessionId === null || sessionId === '' || name === null) return null;
  const details = asObject(event.details);
  const isPrompt = name === 'UserPromptSubmit' || name === 'BeforeAgent';
  return {
    ...teller,
    sessionId,
    path: asString(event.transcript_path),
    state: name === 'Notification' ? stateOfNotification(event) : startState(name, event),
    asked: details === null ? null : askedByGemini(details),
    prompt: isPrompt ? asString(event.prompt) : null,
    own: true,
  };
}

function stateOfNotification(event: Readonly<Record<string, unknown>>): AiState | null {
  const type = asString(event.notification_type) ?? '';
  if (QUESTIONS.has(type)) return 'waiting';
  return type === 'idle_prompt' ? 'idle' : null;
}

/** A compaction starts a session in the middle of a turn. */
function startState(name: string, event: Readonly<Record<string, unknown>>): AiState | null {
  if (name === 'SessionStart' && asString(event.source) === 'compact') return null;
  return STATES[name] ?? null;
}
