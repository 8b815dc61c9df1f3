/** The hooks of an AI CLI in its settings, as a part of an integration. */
import { addHooks, type HookSettings, hasHooks, removeHooks } from './edit/hook-settings.ts';
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
