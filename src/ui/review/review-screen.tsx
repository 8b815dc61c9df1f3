/** The Review screen as Ink lays it out: the list of suggestions, or the open one with its files and its diff. */
import { Box } from 'ink';
import { Pane, Split } from '../kit/components/pane.tsx';
import { useSource } from '../kit/components/use-source.ts';
import type { PaintedPanes } from '../kit/pane.ts';
import type { Source } from '../kit/store.ts';
import type { ReviewPanes } from './view.ts';

type Painted = PaintedPanes<keyof ReviewPanes>;
type ReviewSource = Source<Painted>;

const list = (panes: Painted) => panes.list;
const title = (panes: Painted) => panes.title;
const files = (panes: Painted) => panes.files;
const diff = (panes: Painted) => panes.diff;
const comment = (panes: Painted) => panes.comment;

/** The whole screen. */
export function ReviewScreen({ source }: { readonly source: ReviewSource }) {
  const isBeside = useSource(source, (panes) => (panes.diff?.region.x ?? 0) > 0);
  return (
    <Box flexDirection="column">
      <SuggestionList source={source} />
      <Pane source={source} of={title} />
      {isBeside ? (
        <Split source={source} of={files} right={<HunkView source={source} />} />
      ) : (
        <>
          <FileTree source={source} />
          <HunkView source={source} />
        </>
      )}
      <CommentBox source={source} />
    </Box>
  );
}

/** The suggestions that wait. */
function SuggestionList({ source }: { readonly source: ReviewSource }) {
  return <Pane source={source} of={list} />;
}

/** The files of a suggestion with the fate of their hunks. */
function FileTree({ source }: { readonly source: ReviewSource }) {
  return <Pane source={source} of={files} />;
}

/** The hunks of a file. */
function HunkView({ source }: { readonly source: ReviewSource }) {
  return <Pane source={source} of={diff} />;
}

/** Where a comment is written. */
function CommentBox({ source }: { readonly source: ReviewSource }) {
  return <Pane source={source} of={comment} />;
}
