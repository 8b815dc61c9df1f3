/** The Review screen's Ink layout: the list of suggestions, or the open one with its files and diff. */
import { stacked } from '../kit/components/pane.tsx';
import type { ReviewPanes } from './view.ts';

export const reviewLayout = stacked<keyof ReviewPanes>('list', 'title', ['files', 'diff'], 'comment');
