/** Edits as models write them: by the tool, or as JSON in their words. Pure. */
import * as z from 'zod';
import type { Result } from '../lib/result.ts';
import { type DraftEdit, draftEditSchema } from '../protocol/agent.ts';
import { invalidInput } from '../protocol/invalid.ts';
import { isRecord, PROPOSE_EDITS, type StepToolCall } from './providers/provider.ts';
import { jsonSchemaOf, type ToolDescription } from './tools/tool-box.ts';

/** Edits of one proposal. */
const EDITS_MAX = 500;

/** What a model fills in. Flat, since many servers know no alternatives in schemas; hashes are ours to find. */
const proposalSchema = z.strictObject({
  edits: z
    .array(draftEditSchema.omit({ edit_id: true, expected_hash: true }))
    .min(1)
    .max(EDITS_MAX),
  message: z.string().max(20_000).optional().describe('What you say to the user about it.'),
});

/** What is taken: a model that gives ids or hashes all the same is no reason to refuse. */
const takenSchema = proposalSchema.extend({ edits: z.array(draftEditSchema).min(1).max(EDITS_MAX) });

/** A proposal, as far as its form goes. */
export interface Proposal {
  readonly edits: readonly DraftEdit[];
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

/** The proposals of one answer as one; what is wrong in words. */
export function readProposal(calls: readonly StepToolCall[]): Result<Proposal, string> {
  const proposals: Proposal[] = [];
  for (const call of calls) {
    if (call.arguments === null) return { ok: false, error: 'The arguments are no JSON object.' };
    const read = parseProposal(call.arguments);
    if (!read.ok) return read;
    proposals.push(read.value);
  }
  const message = proposals.map((one) => one.message).filter(Boolean);
  return { ok: true, value: { edits: proposals.flatMap((one) => one.edits), message: message.join('\n') } };
}

function parseProposal(value: unknown): Result<Proposal, string> {
  const parsed = takenSchema.safeParse(tidied(value));
  if (!parsed.success) return { ok: false, error: invalidInput(PROPOSE_EDITS, parsed.error).message };
  return { ok: true, value: { edits: parsed.data.edits.map(withEnd), message: parsed.data.message ?? '' } };
}

/** Without nulls, which stand for what is left out, and with edits that were written as text. */
function tidied(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const edits = typeof value.edits === 'string' ? parsedOr(value.edits) : value.edits;
  const clean = withoutNulls({ ...value, edits });
  if (!Array.isArray(clean.edits)) return clean;
  return { ...clean, edits: clean.edits.map((edit: unknown) => (isRecord(edit) ? tidyEdit(edit) : edit)) };
}

/** Ids and hashes of a model's own are dropped: it cannot know them. */
function tidyEdit(edit: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { edit_id: _, expected_hash: __, ...rest } = withoutNulls(edit);
  return rest;
}

function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return text;
  }
}

/** One line is meant where no end is given. */
function withEnd(edit: DraftEdit): DraftEdit {
  const needsEnd = edit.operation === 'replace' || edit.operation === 'delete';
  if (!needsEnd || edit.end_line !== undefined || edit.start_line === undefined) return edit;
  return { ...edit, end_line: edit.start_line };
}

/** Edits that a model wrote into its words instead of calling the tool; null when there are none. */
export function proposalInText(text: string): Result<Proposal, string> | null {
  if (!/"edits"\s*:/.test(text)) return null;
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from === -1 || to < from) return { ok: false, error: 'The JSON with "edits" is not complete.' };
  const value = parsedOr(text.slice(from, to + 1));
  if (!isRecord(value)) return { ok: false, error: 'The JSON with "edits" cannot be read.' };
  return parseProposal(value);
}
