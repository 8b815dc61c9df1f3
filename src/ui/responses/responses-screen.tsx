/** The Responses screen's Ink layout: the list above, response and draft below or beside each other. */
import { Box } from 'ink';
import { Pair, Pane } from '../kit/components/pane.tsx';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { Focus } from './layout.ts';

type Painted = PaintedPanes<Focus>;

const list = (panes: Painted) => panes.list;
const reading = (panes: Painted) => panes.reading;
const draft = (panes: Painted) => panes.draft;

export function ResponsesScreen({ source }: { readonly source: Source<Painted> }) {
  return (
    <Box flexDirection="column">
      <Pane source={source} of={list} />
      <Pair source={source} first={reading} second={draft} />
    </Box>
  );
}
