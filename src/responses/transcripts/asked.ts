/** Reads what a pending tool call asks the user, from its input. Pure. Null for an unknown tool. */
import type { AskedCall, AskedQuestion } from '../../protocol/dialog.ts';
import { asArray, asObject, asString, type JsonObject, parseJson } from './json.ts';
import type { PlanChange } from './turn-builder.ts';

/** Limit for one call, since records are kept as long as their session. */
const MAX_ASKED_CHARACTERS = 32 * 1024;
const CUT = '\n… cut here: the rest is in the AI pane';

function bounded(text: string): string {
  return text.length <= MAX_ASKED_CHARACTERS ? text : `${text.slice(0, MAX_ASKED_CHARACTERS)}${CUT}`;
}

/** Claude Code's tools. */
export function askedByClaude(tool: string, input: JsonObject): AskedCall | null {
  const path = asString(input.file_path) ?? asString(input.notebook_path) ?? '';
  switch (tool) {
    case 'ExitPlanMode':
      return planOf(asString(input.plan));
    case 'AskUserQuestion':
      return questionsOf(input.questions);
    case 'Bash':
      return commandOf(asString(input.command), asString(input.description));
    case 'Write':
      return editOf(path, '', asString(input.content) ?? '');
    case 'Edit':
      return editOf(path, asString(input.old_string) ?? '', asString(input.new_string) ?? '');
    case 'MultiEdit':
      return editsOf(path, asArray(input.edits));
    case 'NotebookEdit':
      return editOf(path, '', asString(input.new_source) ?? '');
    default:
      return null;
  }
}

/** Codex's tools; a custom tool has text as input, a function JSON. */
export function askedByCodex(tool: string, text: string): AskedCall | null {
  if (tool === 'apply_patch') return patchOf(text);
  const input = asObject(parseJson(text));
  if (input === null) return null;
  if (tool === 'request_user_input') return questionsOf(input.questions);
  const command = asString(input.cmd) ?? asString(input.command) ?? commandByArgv(input.command);
  // Codex applies the patch itself, and asks about its files.
  const patch = patchIn(command ?? '');
  return patch === null ? commandOf(command, asString(input.justification)) : patchOf(patch);
}

/** The patch that a command passes to `apply_patch`, also after a `cd`; null for any other command. */
function patchIn(command: string): string | null {
  if (!/^(?:cd [^\n]{1,4096}? && )?apply_patch\b/.test(command)) return null;
  const [from, end] = [command.indexOf('*** Begin Patch\n'), '*** End Patch'];
  const to = from === -1 ? -1 : command.indexOf(end, from);
  return to === -1 ? null : command.slice(from, to + end.length);
}

/** The command in an argument list; for a shell call, what the shell runs. Null if there is none. */
export function commandByArgv(value: unknown): string | null {
  const words = asArray(value).map((word) => asString(word) ?? '');
  if (words.length === 3 && /^-l?c$/.test(words[1] ?? '')) return words[2] ?? '';
  return words.length > 0 ? words.join(' ') : null;
}

/** opencode's tools, with the other fields of the message part. */
export function askedByOpencode(tool: string, input: JsonObject): AskedCall | null {
  const path = asString(input.filePath) ?? '';
  switch (tool) {
    case 'question':
      return questionsOf(input.questions);
    case 'bash':
      return commandOf(asString(input.command), asString(input.description));
    case 'write':
      return editOf(path, '', asString(input.content) ?? '');
    case 'edit':
      return editOf(path, asString(input.oldString) ?? '', asString(input.newString) ?? '');
    case 'patch':
    case 'apply_patch':
      return patchOf(asString(input.patchText) ?? '');
    default:
      return null;
  }
}

/** Gemini CLI's permission report to its hook: the session file gets a call only after its end. */
export function askedByGemini(details: JsonObject): AskedCall | null {
  const path = asString(details.filePath);
  if (path === null) return commandOf(asString(details.command), null);
  const diff = asString(details.fileDiff) ?? '';
  // File names are above the first hunk, and may contain the signs of a hunk.
  return { kind: 'edit', path, text: bounded(diff.slice(Math.max(0, diff.search(/^@@ /m))).trimEnd()) };
}

/** A file in which opencode keeps a plan. */
const OPENCODE_PLAN = /\/plans\/[^/]+\.md$/;
/** The same for Gemini CLI. */
const GEMINI_PLAN = /\/\.gemini\/tmp\/.+\/plans\/[^/]+\.md$/;

/** The change of a plan by a call of opencode; null for any other call. */
export function planByOpencode(tool: string, input: JsonObject): PlanChange | null {
  if (!OPENCODE_PLAN.test(asString(input.filePath) ?? '')) return null;
  if (tool === 'write') return { kind: 'whole', text: asString(input.content) ?? '' };
  if (tool !== 'edit') return null;
  return { kind: 'part', before: asString(input.oldString) ?? '', after: asString(input.newString) ?? '' };
}

/** The same for Gemini CLI. */
export function planByGemini(tool: string, input: JsonObject): PlanChange | null {
  if (!GEMINI_PLAN.test(asString(input.file_path) ?? '')) return null;
  if (tool === 'write_file') return { kind: 'whole', text: asString(input.content) ?? '' };
  if (tool !== 'replace') return null;
  return { kind: 'part', before: asString(input.old_string) ?? '', after: asString(input.new_string) ?? '' };
}

function planOf(text: string | null): AskedCall | null {
  return text === null || text.trim() === '' ? null : { kind: 'plan', text };
}

function commandOf(command: string | null, reason: string | null): AskedCall | null {
  return command === null ? null : { kind: 'command', text: bounded(command), reason: reason ?? '' };
}

function patchOf(text: string): AskedCall | null {
  const path = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(text)?.[1];
  return path === undefined ? null : { kind: 'edit', path, text: bounded(text.trimEnd()) };
}

function editOf(path: string, before: string, after: string): AskedCall | null {
  return path === '' ? null : { kind: 'edit', path, text: bounded(changedLines(before, after)) };
}

function editsOf(path: string, edits: readonly unknown[]): AskedCall | null {
  const texts = edits.map((value) => {
    const edit = asObject(value);
    return changedLines(asString(edit?.old_string) ?? '', asString(edit?.new_string) ?? '');
  });
  return path === '' || texts.length === 0 ? null : { kind: 'edit', path, text: bounded(texts.join('\n\n')) };
}

function changedLines(before: string, after: string): string {
  const signed = (text: string, sign: string) =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${sign}${line}`);
  return [...signed(before, '-'), ...signed(after, '+')].join('\n');
}

function questionsOf(value: unknown): AskedCall | null {
  const questions = asArray(value).flatMap((each): AskedQuestion[] => {
    const question = asObject(each);
    const text = asString(question?.question);
    if (text === null) return [];
    const options = asArray(question?.options).flatMap((one) => {
      const option = asObject(one);
      const label = asString(option?.label);
      return label === null ? [] : [{ label, description: asString(option?.description) ?? '' }];
    });
    return [{ question: text, options }];
  });
  return questions.length === 0 ? null : { kind: 'questions', questions };
}
