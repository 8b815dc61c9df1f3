/** The Shell screen as Ink lays it out: facts and sources above, requests and reasons below or beside each other. */
import { Box } from 'ink';
import { Pane, Split } from '../kit/components/pane.tsx';
import { useSource } from '../kit/components/use-source.ts';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { ShellPanes } from './view.ts';

type Painted = PaintedPanes<keyof ShellPanes>;
type ShellSource = Source<Painted>;

const facts = (panes: Painted) => panes.facts;
const sources = (panes: Painted) => panes.sources;
const list = (panes: Painted) => panes.list;
const why = (panes: Painted) => panes.why;

/** The whole screen. */
export function ShellScreen({ source }: { readonly source: ShellSource }) {
  const isBeside = useSource(source, (panes) => (panes.why?.region.x ?? 0) > 0);
  return (
    <Box flexDirection="column">
      <Pane source={source} of={facts} isShort />
      <Pane source={source} of={sources} isShort />
      {isBeside ? (
        <Split source={source} of={list} right={<Reasons source={source} />} />
      ) : (
        <>
          <RequestList source={source} />
          <Reasons source={source} />
        </>
      )}
    </Box>
  );
}

/** Recent requests. */
function RequestList({ source }: { readonly source: ShellSource }) {
  return <Pane source={source} of={list} />;
}

/** Why the candidates of the marked request stand in their order. */
function Reasons({ source }: { readonly source: ShellSource }) {
  return <Pane source={source} of={why} />;
}
