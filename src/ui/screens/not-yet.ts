/** Screens that this version does not have yet: one honest page each, with what works in their place. */

import { planRule } from '../plan/chrome.ts';
import { type Row, span, wrapWords } from '../plan/row.ts';
import type { Theme } from '../theme/theme.ts';

const PAGES = {
  agent: {
    title: 'Agent',
    text: 'The built-in agent is not in this version yet. Talk to the AI CLI in its own pane; its responses are on screen 1.',
  },
} as const;

/** The page of a screen that is not there yet. */
export function planNotYet(screen: keyof typeof PAGES, columns: number, theme: Theme): readonly Row[] {
  const page = PAGES[screen];
  return [
    planRule([span(page.title, 'title')], [], columns, theme, false),
    [],
    ...wrapWords(page.text, Math.max(10, columns - 4)).map((row): Row => [span('  '), ...row]),
  ];
}
