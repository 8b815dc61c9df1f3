/** The hooks of an AI CLI in its settings, as a part of an integration. */

import { isDeepStrictEqual } from 'node:util';
import { ok, type Result } from '../../lib/result.ts';
import {
  appendValue,
  checkJson,
  isEmptyJson,
  type JsonValue,
  removeValue,
  valueAt,
} from './edit/json-edit.ts';
import { hookCommand, isHookCommand } from './hook-command.ts';
import type { FilePart, InitPlace } from './integration.ts';

interface HookPart extends Pick<HookSettings, 'events' | 'timeout'> {
  readonly file: string;
  readonly cli: string;
  /** The user-visible name of the CLI. */
  readonly title: string;
}

/** Our hooks in `file`, beside the user's. */
export function hookPart(place: InitPlace, { file, cli, title, events, timeout }: HookPart): FilePart {
  const settings = { events, command: hookCommand(place, cli), timeout, isOurs: isHookCommand };
  return {
    kind: 'file',
    name: 'hooks',
    file,
    about: `hooks that tell the companion what ${title} does; your own hooks stay`,
    add: (text) => addHooks(text, settings),
    remove: (text, original) => removeHooks(text, original, settings),
    isIn: (text) => hasHooks(text, settings),
  };
}

interface HookSettings {
  /** The events, each with the matcher it needs. */
  readonly events: Readonly<Record<string, string | undefined>>;
  readonly command: string;
  /** The CLI's timeout for a hook, in the CLI's own unit. */
  readonly timeout: number;
  /** Whether a command line is copane's. */
  readonly isOurs: (command: string) => boolean;
}

function addHooks(text: string | null, settings: HookSettings): Result<string> {
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

/** Removes our hooks; null if nothing is left and there was no file before. */
function removeHooks(
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

function hasHooks(text: string, { isOurs }: Pick<HookSettings, 'isOurs'>): boolean {
  // A text that does not parse may still hold hooks: removal then fails with a message.
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
