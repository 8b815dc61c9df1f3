/** The Shell screen's Ink layout: facts and sources above, requests and reasons below or beside each other. */
import { Box } from 'ink';
import { Pair, Pane } from '../kit/components/pane.tsx';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { ShellPanes } from './view.ts';

type Painted = PaintedPanes<keyof ShellPanes>;

const facts = (panes: Painted) => panes.facts;
const sources = (panes: Painted) => panes.sources;
const list = (panes: Painted) => panes.list;
const why = (panes: Painted) => panes.why;

export function ShellScreen({ source }: { readonly source: Source<Painted> }) {
  return (
    <Box flexDirection="column">
      <Pane source={source} of={facts} isShort />
      <Pane source={source} of={sources} isShort />
      <Pair source={source} first={list} second={why} />
    </Box>
  );
}
