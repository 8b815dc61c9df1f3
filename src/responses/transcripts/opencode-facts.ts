/** What a part of an opencode message tells of tools, and of the trees that it took around each step. Pure. */
import { asObject, asString, asTime } from './json.ts';
import type { ToolFact } from './tool-facts.ts';

const TOOLS = new Set(['edit', 'write', 'apply_patch', 'multiedit', 'bash', 'task']);
const STEPS = new Set(['step-start', 'step-finish']);

/** A tool part is call and result at once. Empty for other parts. */
export function opencodeFacts(value: unknown): readonly ToolFact[] {
  const part = asObject(value);
  const type = asString(part?.type) ?? '';
  if (STEPS.has(type))
    return [{ kind: 'mark', id: '', name: type, at: null, value: { snapshot: part?.snapshot } }];
  const name = asString(part?.tool) ?? '';
  if (type !== 'tool' || !TOOLS.has(name)) return [];
  const state = asObject(part?.state) ?? {};
  const at = asTime(asObject(state.time)?.start);
  return [{ kind: 'result', id: asString(part?.callID) ?? '', name, at, value: state }];
}
