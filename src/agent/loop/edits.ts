/** Proposals as models write them: by the tool, by another program's tool, as JSON or as a patch in text. Pure. */
import * as z from 'zod';
import { isRecord } from '../../lib/is-record.ts';
import type { Result } from '../../lib/result.ts';
import { editsInText } from '../../review/core/text-edits.ts';
import { fencesInText, wordsAround } from '../core/fences.ts';
import { callsInText, type TextCall, wordsBeside } from '../core/text-calls.ts';
import { brokenOffObject, isToolName, lenientObject, understoodCall } from '../core/tool-call.ts';
import { editOfText, type ModelEdit, modelEdit, modelEditSchema } from '../model-edit.ts';
import { PROPOSE_EDITS, type StepToolCall } from '../providers/provider.ts';
import { jsonSchemaOf, type ToolDescription, toolsThatTake } from '../tools/tool-box.ts';

/** The most edits in one proposal. */
const EDITS_MAX = 500;

const {
  edit_id: _,
  expected_hash: __,
  file_path,
  operation,
  old_text,
  new_text,
  ...more
} = modelEditSchema.shape;

/**
 * The fields that a model fills in. Flat, because many servers do not support alternatives in schemas; we compute
 * hashes. The quote comes first: small models fill in the first field they see, and count lines badly.
 */
const proposalSchema = z.strictObject({
  edits: z
    .array(z.strictObject({ file_path, operation, old_text, new_text, ...more }))
    .min(1)
    .max(EDITS_MAX),
  message: z.string().max(20_000).optional().describe('What you say to the user about it.'),
});

export interface Proposal {
  readonly edits: readonly ModelEdit[];
  /** The faults of edits that could not be read, one sentence each. */
  readonly faults: readonly string[];
  readonly message: string;
}

/** The description of the proposal tool for a model. */
export function proposeTool(): ToolDescription {
  return {
    name: PROPOSE_EDITS,
    description:
      'Proposes edits of files; all of the task at once. The user reviews them. It ends your work when the edits fit; else you are told what is wrong.',
    parameters: jsonSchemaOf(proposalSchema),
  };
}

/** The proposals of one answer as one; a message if something is wrong. */
export function readProposal(calls: readonly StepToolCall[]): Result<Proposal, string> {
  const proposals: Proposal[] = [];
  for (const call of calls) {
    const read = call.arguments === null ? brokenOffProposal(call.written) : proposalOf(call.arguments);
    if (!read.ok) return read;
    proposals.push(read.value);
  }
  return {
    ok: true,
    value: {
      edits: proposals.flatMap(({ edits }) => edits),
      faults: proposals.flatMap(({ faults }) => faults),
      message: proposals.flatMap(({ message }) => (message === '' ? [] : [message])).join('\n'),
    },
  };
}

/** The complete edits of a truncated proposal; its last edit is incomplete. */
function brokenOffProposal(written: string): Result<Proposal, string> {
  const begun = brokenOffObject(written);
  if (begun === null) return { ok: false, error: 'The arguments are not a JSON object.' };
  const rest = 'Your call broke off in the middle: propose fewer or smaller edits at a time.';
  const name = LISTS.find((one) => Array.isArray(begun[one]));
  const whole = (listOf(begun[name ?? '']) ?? []).slice(0, -1);
  if (name === undefined || whole.length === 0) return { ok: false, error: rest };
  const read = proposalOf({ ...begun, [name]: whole });
  return read.ok ? { ok: true, value: { ...read.value, faults: [...read.value.faults, rest] } } : read;
}

const LISTS = ['edits', 'changes', 'files', 'operations', 'replacements', 'hunks', 'diffs'];
const PATCHES = ['patch', 'diff', 'input', 'patch_text', 'patchText', 'blocks'];

/** Edits in a list under any name, one edit, or a patch as text. */
export function proposalOf(value: Readonly<Record<string, unknown>>): Result<Proposal, string> {
  const message = typeof value.message === 'string' ? value.message.slice(0, 20_000) : '';
  const listName = LISTS.find((name) => listOf(value[name]) !== null);
  const list = listName === undefined ? editsByFile(value) : listOf(value[listName]);
  if (list === null) {
    const text = PATCHES.map((name) => value[name]).find((one) => typeof one === 'string');
    const path = pathOf(value);
    const found = typeof text === 'string' ? editsInText(text, typeof path === 'string' ? path : '') : [];
    if (found.length > 0) return { ok: true, value: { edits: found.map(editOfText), faults: [], message } };
  }
  const written = list ?? (LISTS.some((name) => name in value) ? [] : [value]);
  const flat = written.flatMap((edit) => flattened(edit, pathOf(value)));
  if (flat.length === 0)
    return { ok: false, error: `${PROPOSE_EDITS} needs "edits": a list with at least one edit.` };
  if (flat.length > EDITS_MAX)
    return { ok: false, error: `At most ${EDITS_MAX} edits fit into one proposal.` };
  const read = flat.map(({ edit, path }) => modelEdit(edit, path));
  const edits = read.flatMap((one) => (one.ok ? [one.value] : []));
  const faults = read.flatMap((one) => (one.ok ? [] : [one.error]));
  const [first] = faults;
  if (edits.length === 0 && first !== undefined) return { ok: false, error: first };
  return { ok: true, value: { edits, faults, message } };
}

function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) return editsByFile(value);
  if (typeof value !== 'string') return null;
  const wrapped = lenientObject(`{"list":${value}}`)?.list;
  return Array.isArray(wrapped) ? wrapped : null;
}

/** The edits of a record from paths to edits or lists of them; null if it is something else. */
function editsByFile(value: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  const files = Object.entries(value);
  const isFile = ([name, edits]: [string, unknown]) => /[./]/.test(name) && typeof edits === 'object';
  if (files.length === 0 || !files.every(isFile)) return null;
  return files.flatMap(([file_path, edits]) =>
    [edits].flat().map((edit) => (isRecord(edit) ? { file_path, ...edit } : edit)),
  );
}

const pathOf = (value: unknown): unknown =>
  isRecord(value) ? (value.file_path ?? value.path ?? value.file ?? value.filePath) : undefined;

/** Edits in a list under a file. */
function flattened(
  edit: unknown,
  path: unknown,
): readonly { readonly edit: unknown; readonly path: unknown }[] {
  if (!isRecord(edit)) return [{ edit, path }];
  const inner = LISTS.map((name) => edit[name]).find((list) => Array.isArray(list));
  if (!Array.isArray(inner)) return [{ edit, path }];
  return inner.map((one: unknown) => ({ edit: one, path: pathOf(edit) ?? path }));
}

/** Edits that a model wrote as text instead of calling the tool; null if there are none. */
export function proposalInText(text: string, onlyFile: string | null): Result<Proposal, string> | null {
  if (/"edits"\s*:/.test(text)) {
    const from = text.indexOf('{');
    const to = text.lastIndexOf('}');
    if (from === -1 || to < from) return { ok: false, error: 'The JSON with "edits" is not complete.' };
    const value = lenientObject(text.slice(from, to + 1));
    if (value === null) return { ok: false, error: 'The JSON with "edits" cannot be read.' };
    const read = proposalOf(value);
    return read.ok && read.value.message === ''
      ? { ok: true, value: { ...read.value, message: wordsBesideFences(text) } }
      : read;
  }
  const found = editsInText(text, onlyFile ?? '');
  if (found.length > 0)
    return {
      ok: true,
      value: { edits: found.map(editOfText), faults: [], message: wordsBesideFences(text) },
    };
  if (!/^\s*<{5,9} ?SEARCH\b/m.test(text)) return null;
  const form = 'the path on the line above, then <<<<<<< SEARCH, =======, >>>>>>> REPLACE.';
  return { ok: false, error: `The SEARCH/REPLACE block is not complete, or names no file: write ${form}` };
}

/** The words around the fences with the edits; empty if edits are not in a fence. */
function wordsBesideFences(text: string): string {
  const words = wordsAround(text, fencesInText(text));
  return /"edits"\s*:|<{5,9} ?SEARCH\b|^(?:@@|---|\*\*\* ) ?/m.test(words) ? '' : words;
}

/** A model announces an action without doing it. */
export function isIntent(text: string): boolean {
  const opens =
    /^(?:(?:ok(?:ay)?|sure|certainly|great|alright)[,.!]*\s+)?(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|first,? i)\b/i;
  const said = text.trim();
  return said.length < INTENT_MAX_CHARS && (opens.test(said) || /\btool_call\b/.test(said));
}

/** Code in a fence or block, or the call of a tool that does not exist. */
export const isUnusedEdit = (text: string): boolean =>
  /^ *(?:```|<file path=")/m.test(text) || /^\s*\{+\s*"name"\s*:/.test(text);

/** For a model that only announces an action. */
export const HOW_TO_CALL = `You called no tool. Call it now (read_file, search_project, list_files, ${PROPOSE_EDITS}), or say that this was your answer.`;
/** For a model whose code is not an edit. */
export const HOW_TO_EDIT = `This changes nothing: it cannot be told which lines it replaces. Call ${PROPOSE_EDITS} with edits of this form: {"file_path": …, "old_text": the lines as they stand in the file, "new_text": the lines that take their place}. Or say that this was your answer.`;

/** Whether the user seems to want a change: code in the answer to a question is an example. */
export const asksForChange = (instruction: string): boolean =>
  !QUESTION.test(instruction) && (!ASKS_TO_TELL.test(instruction) || AND_TO_CHANGE.test(instruction));

const QUESTION =
  /\?(?:\s|$)|\b(?:explain|describe|understand|compare|summari[sz]e|an example|erkl[äa]r\w*|expliqu\w*|explica\w*)\b/i;
const ASKS_TO_TELL =
  /^\W*(?:(?:please|can|could|would|will|you|i|we|want|need|like|let|to|help|me|us|now)\W+)*(?:what|why|how|where|which|who|show|tell|give|list|review|check|find|look|know|see|read)\b/i;
const AND_TO_CHANGE =
  /\b(?:and|then)\s+(?:fix|correct|change|replace|rename|update|add|remove|delete|make|write|set)\b/i;

/** A longer text is an answer. */
const INTENT_MAX_CHARS = 400;

/** The call with the names of our own tools. A call of an unknown tool means the one that its arguments fit. */
export function meantCall(call: StepToolCall): StepToolCall {
  const known = understoodCall(call);
  if (isToolName(known.name)) return known;
  const name = toolFor(known.arguments);
  return name === null ? known : { ...known, name };
}

/** The only tool that takes these arguments, with the names of its schema; null if none or several do. */
function toolFor(given: StepToolCall['arguments']): string | null {
  if (given === null || Object.keys(given).length === 0) return null;
  const fits = [...toolsThatTake(given), ...(isEditInFull(given) ? [PROPOSE_EDITS] : [])];
  return fits.length === 1 ? (fits[0] ?? null) : null;
}

/** Edits, or one edit, that name their file and say by lines or a quote what to put where. */
function isEditInFull(given: Readonly<Record<string, unknown>>): boolean {
  const read = proposalOf(given);
  return (
    read.ok &&
    read.value.faults.length === 0 &&
    read.value.edits.every(
      ({ start_line, old_text, whole }) => !whole && (old_text ?? start_line) !== undefined,
    )
  );
}

/** Tool calls that a model wrote as text, and the words beside them. */
export function writtenCalls(text: string): {
  readonly calls: readonly StepToolCall[];
  readonly words: string;
} {
  const isCall = ({ name, arguments: args }: TextCall) => isToolName(name) || toolFor(args) !== null;
  const found = callsInText(text, isCall);
  const calls = found.map(({ name, arguments: args }, at) =>
    meantCall({
      toolCallId: `text_${at + 1}`,
      name,
      arguments: args,
      written: JSON.stringify(args ?? {}),
    }),
  );
  return { calls, words: wordsBeside(text, found) };
}
