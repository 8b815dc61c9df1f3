/**
 * Hooks in the settings of Claude Code, Codex and Gemini CLI, which have the same shape: for each event a list of
 * groups, in each group a list of commands. Ours is a group of its own behind those of the user. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { ok, type Result } from '../../../lib/result.ts';
import { appendValue, checkJson, isEmptyJson, type JsonValue, removeValue, valueAt } from './json-edit.ts';

export interface HookSettings {
  /** Events with the matcher that each wants. */
  readonly events: Readonly<Record<string, string | undefined>>;
  readonly command: string;
  /** How long the CLI waits at most, in its own unit. */
  readonly timeout: number;
  /** Whether a command line is ours. */
  readonly isOurs: (command: string) => boolean;
}

/** The text with each of our hooks once. */
export function addHooks(text: string | null, settings: HookSettings): Result<string> {
  if (text !== null && isComplete(text, settings)) return ok(text);
  const cleared = text === null ? ok(text) : removeHooks(text, text, settings);
  if (!cleared.ok) return cleared;
  let next: string | null = cleared.value;
  for (const event of Object.keys(settings.events)) {
    const added: Result<string> = appendValue(next, ['hooks', event], groupOf(event, settings));
    if (!added.ok) return added;
    next = added.value;
  }
  return ok(next ?? '');
}

/** The text without our hooks; null when nothing else was in it and nothing was there before. */
export function removeHooks(
  text: string,
  original: string | null,
  { isOurs }: Pick<HookSettings, 'isOurs'>,
): Result<string | null> {
  const readable = checkJson(text);
  if (!readable.ok) return readable;
  let next = text;
  for (const event of Object.keys(objectAt(text, ['hooks']) ?? {})) {
    const groups = groupsOf(next, event);
    for (let index = groups.length - 1; index >= 0; index -= 1) {
      if (!commandsOf(groups[index]).some(isOurs)) continue;
      const removed = removeValue(next, ['hooks', event, index], original);
      if (!removed.ok) return removed;
      next = removed.value;
    }
  }
  return ok(original === null && isEmptyJson(next) ? null : next);
}

/** Whether any hook of ours is in the text. */
export function hasHooks(text: string, { isOurs }: Pick<HookSettings, 'isOurs'>): boolean {
  // A text that does not parse may hold them all the same: then taking them out is refused, and that is said.
  if (!checkJson(text).ok) return isOurs(text);
  const events = Object.keys(objectAt(text, ['hooks']) ?? {});
  return events.some((event) => groupsOf(text, event).some((group) => commandsOf(group).some(isOurs)));
}

function isComplete(text: string, settings: HookSettings): boolean {
  const wanted = Object.keys(settings.events);
  const present = Object.keys(objectAt(text, ['hooks']) ?? {});
  return [...new Set([...wanted, ...present])].every((event) => {
    const ours = groupsOf(text, event).filter((group) => commandsOf(group).some(settings.isOurs));
    if (!wanted.includes(event)) return ours.length === 0;
    return ours.length === 1 && isDeepStrictEqual(ours[0], groupOf(event, settings));
  });
}

function groupOf(event: string, { events, command, timeout }: HookSettings): JsonValue {
  const matcher = events[event];
  const hooks = [{ type: 'command', command, timeout }];
  return matcher === undefined ? { hooks } : { matcher, hooks };
}

function objectAt(text: string, path: string[]): Readonly<Record<string, JsonValue>> | null {
  const value = valueAt(text, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, JsonValue>>)
    : null;
}

function groupsOf(text: string, event: string): readonly JsonValue[] {
  const value = valueAt(text, ['hooks', event]);
  return Array.isArray(value) ? value : [];
}

function commandsOf(group: JsonValue | undefined): readonly string[] {
  const hooks = typeof group === 'object' && group !== null && 'hooks' in group ? group.hooks : [];
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook) => (typeof hook?.command === 'string' ? [hook.command] : []));
}
