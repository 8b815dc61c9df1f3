/** Reads a line of Claude Code's session into a record of its conversation. Pure. */
import { wordList } from '../../lib/word-list.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import { askedByClaude } from './asked.ts';
import { type Linked, RECORD_BEFORE } from './chain.ts';
import { asArray, asObject, asString, asTime, type JsonObject } from './json.ts';
import type { Problems } from './problems.ts';

type Block =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly name: string;
      readonly asked: AskedCall | null;
    };

/** A record reduced to what the turns need. `link` only continues the chain. */
export type ClaudeRecord =
  | (Linked & { readonly kind: 'link' | 'interrupted' | 'end' | 'command-done' })
  | (Linked & { readonly kind: 'prompt' | 'command'; readonly text: string; readonly at: number | null })
  | (Linked & {
      readonly kind: 'results';
      readonly ids: readonly string[];
      /** The user's answer to a plan: the words of a refusal, or empty for approval. */
      readonly words: string;
      readonly at: number | null;
    })
  | (Linked & { readonly kind: 'error'; readonly text: string })
  | (Linked & {
      readonly kind: 'assistant';
      readonly messageId: string;
      readonly blocks: readonly Block[];
      /** Why the message ended; `ABORTED` if it was interrupted. */
      readonly stop: string | null;
      readonly at: number | null;
    })
  | { readonly kind: 'queue'; readonly operation: string; readonly content: string | null };

/** Types that are not part of the conversation. */
const IGNORED = new Set(
  wordList(`
    summary mode permission-mode last-prompt ai-title custom-title agent-name tag file-history-snapshot
    file-history-delta tools-used attribution-snapshot pr-link cost-state api-request api-request-shape
    api-request-blob api-request-resumed worktree-state agent-color atis-latch agent-setting task-summary
    content-replacement fork-context-ref observer-ref isolation-latch session-owner dev-mods memory-mode
    frame-link continued-in derived-from resume-head-vouch data-flow-records data-flow-incomplete
    artifact-autoreact-ledger speculation-accept
  `),
);
/** Types of records that link the chain; only `user` and `assistant` hold text. */
const LINKING = new Set(['user', 'assistant', 'system', 'progress', 'attachment']);

/** Program text in a user record; only for records without a sender. Arguments come last, and may hold any tag. */
const MACHINE_TEXT =
  /<command-args>[\s\S]*|<((?:command|local-command|bash)-[\w-]+|system-reminder|task-notification|user-memory-input|teammate-message)(?:\s[^>]*)?>[\s\S]*?<\/\1>|^\s*Caveat: The messages below were generated.*/g;
/** Only such text: words before or after it come from a user, who may ask about such a tag. */
const isMachineText = (text: string): boolean => text.replace(MACHINE_TEXT, '').trim() === '';
const INTERRUPTED = /^\s*\[Request interrupted by user(?: for tool use)?\]\s*$/;
const COMMAND_NAME = /<command-name>\s*([^<]*?)\s*<\/command-name>/;
const COMMAND_ARGS = /<command-args>([\s\S]*?)<\/command-args>/;
/** Senders of user records that are programs. A record without a sender is from the user. */
const MACHINE_ORIGINS = new Set(
  'task-notification auto-continuation plugin peer observer-activity coordinator hook'.split(' '),
);
/** Stands for the stop reason of a message that the user interrupted, with a key or with a prompt sent at once. */
export const ABORTED = 'aborted';
/** The program writes this for the AI if the AI says nothing: as an answer, or beside a call. */
const NO_ANSWER = 'No response requested.';
const NO_CONTENT = '(no content)';
const PROGRAM_MODEL = '<synthetic>';

/** One line of the file. */
export function parseClaudeRecord(value: unknown, problems: Problems): ClaudeRecord | null {
  const record = asObject(value);
  const type = asString(record?.type);
  if (record === null || type === null) {
    problems.unknownType(record?.type);
    return null;
  }
  if (type === 'queue-operation') {
    const content = promptText(record.content);
    return { kind: 'queue', operation: asString(record.operation) ?? '', content };
  }
  if (!LINKING.has(type)) {
    if (!IGNORED.has(type)) problems.unknownType(type);
    return null;
  }
  const uuid = asString(record.uuid);
  if (uuid === null || record.isSidechain === true) return null;
  return reduce(type, record, { uuid, parent: parentOf(record) });
}

/** A compaction cuts the chain; `logicalParentUuid` names the parent, except in older files. */
function parentOf(record: JsonObject): string | null {
  const parent = asString(record.parentUuid) ?? asString(record.logicalParentUuid);
  return parent ?? (record.subtype === 'compact_boundary' ? RECORD_BEFORE : null);
}

function reduce(type: string, record: JsonObject, linked: Linked): ClaudeRecord {
  if (type === 'assistant') return reduceAssistant(record, linked);
  if (type === 'user') return reduceUser(record, linked);
  if (type === 'attachment') return reduceAttachment(record, linked);
  const subtype = record.subtype;
  if (subtype === 'turn_duration') return { kind: 'end', ...linked };
  return { kind: subtype === 'local_command' ? 'command-done' : 'link', ...linked };
}

function reduceAssistant(record: JsonObject, linked: Linked): ClaudeRecord {
  const message = asObject(record.message) ?? {};
  const blocks = asArray(message.content).flatMap((block) => toBlock(block, isFiller(message)));
  if (record.isApiErrorMessage === true) {
    const text = blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('\n');
    return { kind: 'error', text, ...linked };
  }
  const stop = record.isAbortedMidStream === true ? ABORTED : asString(message.stop_reason);
  return {
    kind: 'assistant',
    messageId: asString(message.id) ?? linked.uuid,
    blocks,
    stop,
    at: asTime(record.timestamp),
    ...linked,
  };
}

/** Separates the program's texts in a message from the AI's, which may use the same words. */
function isFiller(message: JsonObject): (text: string) => boolean {
  const isPrograms = (message.model ?? PROGRAM_MODEL) === PROGRAM_MODEL;
  return (text) =>
    (text === NO_ANSWER && isPrograms) || (text === NO_CONTENT && message.stop_reason !== 'end_turn');
}

function toBlock(value: unknown, isEmpty: (text: string) => boolean): Block[] {
  const block = asObject(value);
  if (block?.type === 'text') {
    const text = asString(block.text) ?? '';
    return text === '' || isEmpty(text) ? [] : [{ kind: 'text', text }];
  }
  if (block?.type !== 'tool_use') return [];
  const name = asString(block.name) ?? '';
  const asked = askedByClaude(name, asObject(block.input) ?? {});
  return [{ kind: 'tool', id: asString(block.id) ?? '', name, asked }];
}

function reduceUser(record: JsonObject, linked: Linked): ClaudeRecord {
  const content = asObject(record.message)?.content;
  const ids = asArray(content).flatMap((value) => {
    const block = asObject(value);
    return block?.type === 'tool_result' ? [asString(block.tool_use_id) ?? ''] : [];
  });
  if (ids.length > 0) {
    return { kind: 'results', ids, words: refusalIn(content), at: asTime(record.timestamp), ...linked };
  }
  if (record.isMeta === true || record.isCompactSummary === true) return { kind: 'link', ...linked };
  if (record.isVisibleInTranscriptOnly === true || isMachine(record.origin))
    return { kind: 'link', ...linked };
  const at = asTime(record.timestamp);
  if (isHuman(record.origin)) return { kind: 'prompt', text: humanText(content), at, ...linked };
  const texts = typeof content === 'string' ? [content] : textsOf(content);
  if (texts.some((text) => INTERRUPTED.test(text))) return { kind: 'interrupted', ...linked };
  const all = texts.join('\n');
  const name = COMMAND_NAME.exec(all)?.[1];
  if (name !== undefined && isMachineText(all)) {
    const text = `${name} ${COMMAND_ARGS.exec(all)?.[1]?.trim() ?? ''}`.trimEnd();
    return { kind: 'command', text, at, ...linked };
  }
  if (/^\s*<local-command-stdout>/.test(all) && isMachineText(all))
    return { kind: 'command-done', ...linked };
  const text = promptText(content);
  return text === null ? { kind: 'link', ...linked } : { kind: 'prompt', text, at, ...linked };
}

/** The user's words in the result of a refused call. */
const REFUSED_WITH_WORDS = /the user said:\n([\s\S]*)$/;

function refusalIn(content: unknown): string {
  const result = asObject(asArray(content)[0])?.content;
  const text = typeof result === 'string' ? result : textsOf(result).join('\n');
  return REFUSED_WITH_WORDS.exec(text)?.[1]?.trimEnd() ?? '';
}

/** A prompt typed while the AI worked, and sent between two tool calls. */
function reduceAttachment(record: JsonObject, linked: Linked): ClaudeRecord {
  const attachment = asObject(record.attachment);
  const isPrompt =
    attachment?.type === 'queued_command' &&
    attachment.isMeta !== true &&
    !isMachine(attachment.origin) &&
    (attachment.commandMode ?? 'prompt') === 'prompt';
  const read = isHuman(attachment?.origin) ? humanText : promptText;
  const text = isPrompt ? read(attachment?.prompt) : null;
  if (text === null) return { kind: 'link', ...linked };
  return { kind: 'prompt', text, at: asTime(record.timestamp), ...linked };
}

/** Newer versions record who wrote the text. */
const isHuman = (origin: unknown): boolean => asObject(origin)?.kind === 'human';

function isMachine(origin: unknown): boolean {
  const kind = asString(asObject(origin)?.kind);
  return kind !== null && MACHINE_ORIGINS.has(kind);
}

function textsOf(content: unknown): string[] {
  return asArray(content).flatMap((value) => {
    const block = asObject(value);
    return block?.type === 'text' ? [asString(block.text) ?? ''] : [];
  });
}

/** Newer versions put tags around pasted text for the model; the text between them is the user's. */
const PASTED = /\n*<pasted_content id="([0-9a-f]{4})">\n([\s\S]*?)\n<\/pasted_content id="\1">\n?/g;
/** How the program escapes such a tag in the pasted text itself. */
const ESCAPED_TAG = /<\\(\/?pasted_content)/g;

function withoutPasteTags(text: string): string {
  if (!text.includes('<pasted_content ')) return text;
  return text.replace(PASTED, (_all, _id, body: string, at: number) => {
    const pasted = body.replace(ESCAPED_TAG, '<$1');
    return at === 0 ? pasted : `\n${pasted}\n`;
  });
}

/** The text of a user's record; an image alone is also a prompt. */
function humanText(content: unknown): string {
  const texts = typeof content === 'string' ? [content] : textsOf(content).filter((text) => text !== '');
  // The program may add a reminder.
  const own = texts.filter((text) => !isMachineText(text));
  const kept = own.length > 0 ? own : texts;
  return kept.length === 0 ? '[Image]' : withoutPasteTags(kept.join('\n'));
}

/** The user's text in a record that may also contain the program's; null if there is none. */
function promptText(content: unknown): string | null {
  const texts = typeof content === 'string' ? [content] : textsOf(content);
  if (!isMachineText(texts.join('\n'))) return humanText(content);
  return asArray(content).some((block) => asObject(block)?.type === 'image') ? '[Image]' : null;
}
