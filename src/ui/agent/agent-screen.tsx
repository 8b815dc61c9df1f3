/** The Agent screen as Ink lays it out: the list of sessions, or a conversation above its context and the box. */
import { Box } from 'ink';
import { Pane } from '../kit/components/pane.tsx';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { AgentPanes } from './view.ts';

type Painted = PaintedPanes<keyof AgentPanes>;
type AgentSource = Source<Painted>;

const list = (panes: Painted) => panes.list;
const chat = (panes: Painted) => panes.chat;
const context = (panes: Painted) => panes.context;
const box = (panes: Painted) => panes.box;

/** The whole screen. */
export function AgentScreen({ source }: { readonly source: AgentSource }) {
  return (
    <Box flexDirection="column">
      <SessionList source={source} />
      <Chat source={source} />
      <ContextRows source={source} />
      <InstructionBox source={source} />
    </Box>
  );
}

/** The sessions of the project. */
function SessionList({ source }: { readonly source: AgentSource }) {
  return <Pane source={source} of={list} />;
}

/** The conversation. */
function Chat({ source }: { readonly source: AgentSource }) {
  return <Pane source={source} of={chat} />;
}

/** The context rows, sent with every instruction. */
function ContextRows({ source }: { readonly source: AgentSource }) {
  return <Pane source={source} of={context} isShort />;
}

/** Where an instruction is written. */
function InstructionBox({ source }: { readonly source: AgentSource }) {
  return <Pane source={source} of={box} />;
}
