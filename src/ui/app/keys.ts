/** Keys that are valid everywhere: screens, help, palette, quitting. */
import type { Binding } from '../kit/keys/binding.ts';

/** Screens, help, palette, leaving. */
export const APP_KEYS = [
  { action: 'screen/responses', contexts: ['app'], keys: ['1'], help: 'Screen 1: Responses' },
  { action: 'screen/review', contexts: ['app'], keys: ['2'], help: 'Screen 2: Review' },
  { action: 'screen/agent', contexts: ['app'], keys: ['3'], help: 'Screen 3: Agent' },
  { action: 'screen/shell', contexts: ['app'], keys: ['4'], help: 'Screen 4: Shell' },
  {
    action: 'app/panes',
    contexts: ['app'],
    keys: ['t'],
    footer: 'AI panes',
    help: 'The AI panes and their states; choose the one to follow, or start an AI CLI',
  },
  { action: 'app/start-ai', contexts: ['app'], keys: ['T'], help: 'Start an AI CLI in a new pane' },
  { action: 'app/palette', contexts: ['app'], keys: ['Ctrl+P', ':'], help: 'Every command, by name' },
  {
    action: 'app/help',
    contexts: ['app'],
    keys: ['?'],
    footer: 'help',
    help: 'The keys that are valid here',
  },
  { action: 'app/redraw', contexts: ['app', 'insert'], keys: ['Ctrl+L'], help: 'Draw the screen again' },
  { action: 'app/suspend', contexts: ['app', 'insert'], keys: ['Ctrl+Z'], help: 'Suspend copane' },
  {
    action: 'app/back',
    contexts: ['app'],
    keys: ['q'],
    help: 'Back: to the list, to screen 1, out of copane',
  },
  { action: 'app/quit', contexts: ['app'], keys: ['Ctrl+C'], help: 'Quit; the draft is kept' },
] as const satisfies readonly Binding[];
