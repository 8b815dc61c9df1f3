/** The Agent screen's Ink layout: the list of sessions, or a conversation above its context and the box. */
import { Box } from 'ink';
import { Pane } from '../kit/components/pane.tsx';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { AgentPanes } from './view.ts';

type Painted = PaintedPanes<keyof AgentPanes>;

const list = (panes: Painted) => panes.list;
const chat = (panes: Painted) => panes.chat;
const context = (panes: Painted) => panes.context;
const box = (panes: Painted) => panes.box;

export function AgentScreen({ source }: { readonly source: Source<Painted> }) {
  return (
    <Box flexDirection="column">
      <Pane source={source} of={list} />
      <Pane source={source} of={chat} />
      <Pane source={source} of={context} isShort />
      <Pane source={source} of={box} />
    </Box>
  );
}
