/** The Responses screen as Ink lays it out: the list above, response and draft below or beside each other. */
import { Box } from 'ink';
import { Pane, Split } from '../kit/components/pane.tsx';
import { useSource } from '../kit/components/use-source.ts';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { Focus } from './layout.ts';

type ResponsesSource = Source<PaintedPanes<Focus>>;

const list = (panes: PaintedPanes<Focus>) => panes.list;
const reading = (panes: PaintedPanes<Focus>) => panes.reading;
const draft = (panes: PaintedPanes<Focus>) => panes.draft;

/** The whole screen. */
export function ResponsesScreen({ source }: { readonly source: ResponsesSource }) {
  const isBeside = useSource(source, (panes) => (panes.draft?.region.x ?? 0) > 0);
  return (
    <Box flexDirection="column">
      <ResponseList source={source} />
      {isBeside ? (
        <Split source={source} of={reading} right={<DraftEditor source={source} />} />
      ) : (
        <>
          <Reader source={source} />
          <DraftEditor source={source} />
        </>
      )}
    </Box>
  );
}

/** What was answered, newest first. */
function ResponseList({ source }: { readonly source: ResponsesSource }) {
  return <Pane source={source} of={list} />;
}

/** The marked response. */
function Reader({ source }: { readonly source: ResponsesSource }) {
  return <Pane source={source} of={reading} />;
}

function DraftEditor({ source }: { readonly source: ResponsesSource }) {
  return <Pane source={source} of={draft} />;
}
