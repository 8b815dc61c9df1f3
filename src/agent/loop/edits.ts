/** Proposals as models write them: by the tool, by one of another program, as JSON or as a patch in their words. Pure. */
import * as z from 'zod';
import { isRecord } from '../../lib/is-record.ts';
import type { Result } from '../../lib/result.ts';
import { editsInText } from '../../review/core/text-edits.ts';
import { callsInText } from '../core/text-calls.ts';
import { brokenOffObject, lenientObject, understoodCall } from '../core/tool-call.ts';
import { editOfText, type ModelEdit, modelEdit, modelEditSchema } from '../model-edit.ts';
import { PROPOSE_EDITS, type StepToolCall } from '../providers/provider.ts';
import { jsonSchemaOf, type ToolDescription } from '../tools/tool-box.ts';

/** Edits of one proposal. */
const EDITS_MAX = 500;

/** The fields that a model fills in. Flat, because many servers do not support alternatives in schemas; we compute hashes. */
const proposalSchema = z.strictObject({
  edits: z
    .array(modelEditSchema.omit({ edit_id: true, expected_hash: true }))
    .min(1)
    .max(EDITS_MAX),
  message: z.string().max(20_000).optional().describe('What you say to the user about it.'),
});

/** A proposal whose form is valid. */
export interface Proposal {
  readonly edits: readonly ModelEdit[];
  /** What is wrong with edits that could not be read, a sentence each. */
  readonly faults: readonly string[];
  readonly message: string;
}

/** What a model is told about proposing. */
export function proposeTool(): ToolDescription {
  return {
    name: PROPOSE_EDITS,
    description:
      'Proposes edits of files; all of the task at once. The user reviews them. It ends your work when the edits fit; else you are told what is wrong.',
    parameters: jsonSchemaOf(proposalSchema),
  };
}

/** The proposals of one answer as one; a sentence when something is wrong. */
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

/** The edits that are whole, of a proposal that breaks off; the last one is not. */
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

/** Edits in a list under whatever name, one edit, or a patch as text. */
export function proposalOf(value: Readonly<Record<string, unknown>>): Result<Proposal, string> {
  const message = typeof value.message === 'string' ? value.message.slice(0, 20_000) : '';
  const listName = LISTS.find((name) => listOf(value[name]) !== null);
  const list = listName === undefined ? null : listOf(value[listName]);
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
  if (typeof value !== 'string') return null;
  const wrapped = lenientObject(`{"list":${value}}`)?.list;
  return Array.isArray(wrapped) ? wrapped : null;
}

const pathOf = (value: unknown): unknown =>
  isRecord(value) ? (value.file_path ?? value.path ?? value.file ?? value.filePath) : undefined;

/** Edits that stand in a list of their own under a file. */
function flattened(
  edit: unknown,
  path: unknown,
): readonly { readonly edit: unknown; readonly path: unknown }[] {
  if (!isRecord(edit)) return [{ edit, path }];
  const inner = LISTS.map((name) => edit[name]).find((list) => Array.isArray(list));
  if (!Array.isArray(inner)) return [{ edit, path }];
  return inner.map((one: unknown) => ({ edit: one, path: pathOf(edit) ?? path }));
}

/** Edits that a model wrote into its words instead of calling the tool; null when there are none. */
export function proposalInText(text: string, onlyFile: string | null): Result<Proposal, string> | null {
  if (/"edits"\s*:/.test(text)) {
    const from = text.indexOf('{');
    const to = text.lastIndexOf('}');
    if (from === -1 || to < from) return { ok: false, error: 'The JSON with "edits" is not complete.' };
    const value = lenientObject(text.slice(from, to + 1));
    return value === null ? { ok: false, error: 'The JSON with "edits" cannot be read.' } : proposalOf(value);
  }
  const found = editsInText(text, onlyFile ?? '');
  if (found.length > 0) return { ok: true, value: { edits: found.map(editOfText), faults: [], message: '' } };
  if (!/^\s*<{5,9} ?SEARCH\b/m.test(text)) return null;
  const form = 'the path on the line above, then <<<<<<< SEARCH, =======, >>>>>>> REPLACE.';
  return { ok: false, error: `The SEARCH/REPLACE block is not complete, or names no file: write ${form}` };
}

/** A model says what it is about to do, and does not do it. */
export function isIntent(text: string): boolean {
  const opens =
    /^(?:(?:ok(?:ay)?|sure|certainly|great|alright)[,.!]*\s+)?(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|first,? i)\b/i;
  const said = text.trim();
  return said.length < INTENT_MAX_CHARS && (opens.test(said) || /\btool_call\b/.test(said));
}

/** Files written out as a whole, each in a fence with its path on the line above or behind the fence. */
export function filesInText(text: string): readonly WrittenFile[] {
  const fences = `\n${text}`.matchAll(/(?:^|\n)([^\n]*)\n+```([^\n`]*)\n([\s\S]*?)\n?```(?=\n|$)/g);
  return [...fences].flatMap(([, above = '', info = '', content = '']) => {
    const name = PATH_LINE.exec(above)?.[1] ?? /^\w*[:\s]([\w@./-]+\.\w+)\s*$/.exec(info)?.[1];
    return name === undefined ? [] : [{ operation: 'write', file_path: name, new_text: `${content}\n` }];
  });
}

export interface WrittenFile {
  readonly operation: 'write';
  readonly file_path: string;
  readonly new_text: string;
}

/** A line that holds a path and nothing else, but for what sets it off. */
const PATH_LINE = /^(?:#+\s*|\*\*|`|(?:file(?:name|path)?|path):\s*)*([\w@./-]+\.\w+)(?:\*\*|`|:)*\s*$/i;
/** A longer text is an answer. */
const INTENT_MAX_CHARS = 400;

/** Tool calls that a model wrote into its words. */
export function writtenCalls(text: string): readonly StepToolCall[] {
  return callsInText(text).map(({ name, arguments: args }, at) =>
    understoodCall({
      toolCallId: `text_${at + 1}`,
      name,
      arguments: args,
      written: JSON.stringify(args ?? {}),
    }),
  );
}
