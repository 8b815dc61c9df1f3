/**
 * The script of a scripted model, and the choice of the reply to a request. Pure. A reply depends on the
 * conversation that the client sends, not on a counter, so a client that repeats a request gets the same reply.
 */

/** A tool call of the model. Names and arguments are those of the client under test. */
export interface ScriptedTool {
  readonly name: string;
  /** The group that the client put it in (Codex: one per MCP server). */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** One answer to one request. */
export interface ScriptedReply {
  readonly text?: string;
  readonly tools?: readonly ScriptedTool[];
  /**
   * Values from the client's request that the tools need: each `{{name}}` in their inputs becomes the first group of
   * this pattern in the request (such as the file name that the client chose for its plan).
   */
  readonly told?: Readonly<Record<string, string>>;
  /** The model's thoughts before it speaks, in the dialects that have them: chat, messages, gemini (a signature). */
  readonly reasoning?: string;
  /** Characters per streamed chunk. */
  readonly chunkSize?: number;
  /** Pause before each chunk after the first. */
  readonly chunkDelayMs?: number;
  /** Pause before the first chunk; the status line and headers are sent at once. */
  readonly firstDelayMs?: number;
  /** A reply with `chunkDelayMs` ends only when the test releases it, so that slow machines see the rest, too. */
  readonly held?: true;
  /** Answer with this HTTP status instead of text, `times` times (default: always). */
  readonly error?: {
    readonly status: number;
    readonly message: string;
    readonly times?: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** Sent instead of the dialect's own error: unchanged if it is a string, else as JSON. */
    readonly body?: unknown;
  };
  /** Break the stream, `times` times (default: always). */
  readonly fault?: StreamFault;
}

/**
 * `cut`: the connection is closed · `end`: the stream ends as if all were well · `hang`: nothing more comes ·
 * `garbage`: a frame that is not JSON · `reset`: closed before the status line.
 */
export interface StreamFault {
  readonly kind: 'cut' | 'end' | 'hang' | 'garbage' | 'reset';
  /** Frames sent before it. */
  readonly afterFrames: number;
  readonly times?: number;
}

/** All replies to one human prompt: each tool result requests the next one. */
interface ScriptedTurn {
  /** Used for prompts that contain this text; a turn without it serves new prompts in order. */
  readonly when?: string;
  readonly replies: readonly ScriptedReply[];
}

export interface Script {
  readonly turns: readonly ScriptedTurn[];
  /** Set for clients that offer no tools (aider): then a request without tools is not a side call. */
  readonly withoutTools?: boolean;
}

/** A message in the form that all dialects share. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Text parts, without the client's own context blocks. */
  readonly text: string;
  /** Ids of the tool calls in an assistant message. */
  readonly calls: readonly string[];
}

export interface Conversation {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly toolNames: readonly string[];
  readonly stream: boolean;
}

/** Which reply a request gets. `side` = one of the client's own calls (title, quota, next speaker). */
export type Choice =
  | { readonly kind: 'side' }
  | { readonly kind: 'unscripted' }
  | { readonly kind: 'reply'; readonly turn: number; readonly reply: number };

/** Blocks that clients add to the user's message: reminders, environment, project rules, interruption notes. */
const CONTEXT_BLOCK =
  /^\s*(<(system-reminder|environment_context|user_instructions|permissions|collaboration_mode|skills?_instructions|apps_instructions|plugins_instructions|turn_aborted|session_context|local-command|command-)|# AGENTS\.md|\[Request interrupted|This is the Gemini CLI)/;

/** The human's words in the text parts of one message. */
export function humanText(parts: readonly string[]): string {
  return parts
    .filter((part) => !CONTEXT_BLOCK.test(part))
    .join('\n')
    .trim();
}

/** Index of the last message in which the human speaks; -1 when there is none. */
export function lastPromptIndex(conversation: Conversation): number {
  return conversation.messages.findLastIndex((message) => message.role === 'user' && message.text !== '');
}

/** The id of a tool call; it names the reply, so that the next request shows how far the turn is. */
export function callId(turn: number, reply: number, tool: number): string {
  return `call_t${turn}r${reply}n${tool}`;
}

const CALL_ID = /^call_t(\d+)r(\d+)n\d+/;

function repliesGiven(conversation: Conversation, turn: number, from: number): number {
  const after = conversation.messages.slice(from + 1);
  const named = after.flatMap((message) => message.calls).flatMap((id) => CALL_ID.exec(id) ?? []);
  const ofTurn = after
    .flatMap((message) => message.calls)
    .map((id) => CALL_ID.exec(id))
    .filter((match) => match !== null && Number(match[1]) === turn)
    .map((match) => Number(match?.[2]) + 1);
  if (named.length > 0) return Math.max(0, ...ofTurn);
  // For a client that renames the calls: each assistant message with calls was one reply.
  return after.filter((message) => message.calls.length > 0).length;
}

/**
 * Chooses replies; remembers only which prompt took which turn of the script. Prompts are told apart by
 * their text and their place in the conversation.
 */
export class ScriptCursor {
  readonly #script: Script;
  readonly #taken = new Map<string, number>();

  constructor(script: Script) {
    this.#script = script;
  }

  choose(conversation: Conversation): Choice {
    if (conversation.toolNames.length === 0 && this.#script.withoutTools !== true) return { kind: 'side' };
    const at = lastPromptIndex(conversation);
    const prompt = conversation.messages[at]?.text;
    if (prompt === undefined) return { kind: 'side' };
    const turn = this.#turnFor(prompt, conversation, at);
    if (turn === null) return { kind: 'unscripted' };
    const replies = this.#script.turns[turn]?.replies.length ?? 0;
    const reply = Math.min(repliesGiven(conversation, turn, at), replies - 1);
    return reply < 0 ? { kind: 'unscripted' } : { kind: 'reply', turn, reply };
  }

  #turnFor(prompt: string, conversation: Conversation, at: number): number | null {
    const turns = this.#script.turns;
    const named = turns.findIndex((turn) => turn.when !== undefined && prompt.includes(turn.when));
    if (named >= 0) return named;
    const before = conversation.messages.slice(0, at);
    const key = `${before.filter((message) => message.role === 'user').length}:${prompt}`;
    const known = this.#taken.get(key);
    if (known !== undefined) return known;
    const used = new Set(this.#taken.values());
    const next = turns.findIndex((turn, index) => turn.when === undefined && !used.has(index));
    if (next < 0) return null;
    this.#taken.set(key, next);
    return next;
  }
}

/** The reply with values from the request in its tools' inputs. */
export function withTold(reply: ScriptedReply, request: string): ScriptedReply {
  if (reply.told === undefined) return reply;
  let tools = JSON.stringify(reply.tools ?? []);
  for (const [name, pattern] of Object.entries(reply.told)) {
    const found = new RegExp(pattern).exec(request)?.[1] ?? `no ${name} was told`;
    tools = tools.replaceAll(`{{${name}}}`, found);
  }
  return { ...reply, tools: JSON.parse(tools) as readonly ScriptedTool[] };
}

/** `text` in pieces of `size` characters, never half a surrogate pair. */
export function chunksOf(text: string, size: number): string[] {
  const points = Array.from(text);
  const chunks: string[] = [];
  for (let at = 0; at < points.length; at += size) chunks.push(points.slice(at, at + size).join(''));
  return chunks;
}
