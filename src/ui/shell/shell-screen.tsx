/** The Shell screen's Ink layout: facts and sources above, requests and reasons below or beside each other. */
import { stacked } from '../kit/components/pane.tsx';
import type { ShellPanes } from './view.ts';

export const shellLayout = stacked<keyof ShellPanes>({ short: 'facts' }, { short: 'sources' }, [
  'list',
  'why',
]);
