/** The Responses screen's Ink layout: the list above, response and draft below or beside each other. */
import { stacked } from '../kit/components/pane.tsx';
import type { Focus } from './layout.ts';

export const responsesLayout = stacked<Focus>('list', ['reading', 'draft']);
