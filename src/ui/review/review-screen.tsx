/** The Review screen's Ink layout: the list of suggestions, or the open one with its files and diff. */
import { Box } from 'ink';
import { Pair, Pane } from '../kit/components/pane.tsx';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { ReviewPanes } from './view.ts';

type Painted = PaintedPanes<keyof ReviewPanes>;

const list = (panes: Painted) => panes.list;
const title = (panes: Painted) => panes.title;
const files = (panes: Painted) => panes.files;
const diff = (panes: Painted) => panes.diff;
const comment = (panes: Painted) => panes.comment;

export function ReviewScreen({ source }: { readonly source: Source<Painted> }) {
  return (
    <Box flexDirection="column">
      <Pane source={source} of={list} />
      <Pane source={source} of={title} />
      <Pair source={source} first={files} second={diff} />
      <Pane source={source} of={comment} />
    </Box>
  );
}
