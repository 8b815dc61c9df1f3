/** The root of the tree: header, current screen, overlay, messages, keys. */
import { Box } from 'ink';
import { useMemo } from 'react';
import { agentLayout } from '../agent/agent-screen.tsx';
import { Line, Lines } from '../kit/components/line.tsx';
import { BarContext, Pane, Stack, type StackRow } from '../kit/components/pane.tsx';
import { CanvasContext } from '../kit/components/rows.tsx';
import { useSource } from '../kit/components/use-source.ts';
import type { ScreenName } from '../kit/model.ts';
import type { PaintedPanes } from '../kit/pane.ts';
import type { ScreenWriter } from '../kit/screen-writer.ts';
import type { Source } from '../kit/store.ts';
import { responsesLayout } from '../responses/responses-screen.tsx';
import { reviewLayout } from '../review/review-screen.tsx';
import { shellLayout } from '../shell/shell-screen.tsx';
import type { PaintedFrame } from './frame.ts';

export interface AppProps {
  readonly frames: Source<PaintedFrame>;
  /** Where to draw documents; null: Ink draws them as text. */
  readonly canvas: Pick<ScreenWriter, 'setRectangle'> | null;
}

type FramesProps = Pick<AppProps, 'frames'>;

/** The whole surface. */
export function App({ frames, canvas }: AppProps) {
  const bar = useSource(frames, (frame) => frame.bar.whole);
  return (
    <CanvasContext value={canvas}>
      <BarContext value={bar}>
        <Surface frames={frames} />
      </BarContext>
    </CanvasContext>
  );
}

function Surface({ frames }: FramesProps) {
  const columns = useSource(frames, ({ size }) => size.columns);
  const rows = useSource(frames, ({ size }) => size.rows);
  const areaRows = useSource(frames, ({ size, status }) => Math.max(0, size.rows - 2 - status.length));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header frames={frames} />
      <Box flexDirection="column" height={areaRows} overflow="hidden" flexShrink={0}>
        <CurrentScreen frames={frames} />
        <Dialog frames={frames} />
      </Box>
      <Status frames={frames} />
      <Footer frames={frames} />
    </Box>
  );
}

/** Name, tabs, and the AI pane's state. */
function Header({ frames }: FramesProps) {
  return <Line text={useSource(frames, ({ header }) => header.whole)} />;
}

/** The mode and the currently valid keys. */
function Footer({ frames }: FramesProps) {
  return <Line text={useSource(frames, ({ footer }) => footer.whole)} />;
}

const statusRows = ({ status }: PaintedFrame) => status;

/** Work in progress, messages, typed text. */
function Status({ frames }: FramesProps) {
  return <Lines source={frames} of={statusRows} />;
}

const dialogPane = ({ dialog }: PaintedFrame) => dialog;

/** Overlays: menus and questions, drawn by Ink, and scrolled documents. */
function Dialog({ frames }: FramesProps) {
  const isDocument = useSource(frames, ({ dialog }) => dialog?.isDocument === true);
  return <Pane source={frames} of={dialogPane} isShort={!isDocument} />;
}

const LAYOUTS = {
  responses: responsesLayout,
  review: reviewLayout,
  agent: agentLayout,
  shell: shellLayout,
} as const satisfies Record<ScreenName, unknown>;

function CurrentScreen({ frames }: FramesProps) {
  const name = useSource(frames, ({ screen }) => screen);
  // A screen sees only its own panes.
  const source = useMemo(
    (): Source<PaintedPanes> => ({ get: () => frames.get().panes, subscribe: frames.subscribe }),
    [frames],
  );
  return <Stack key={name} source={source} rows={LAYOUTS[name] as readonly StackRow<PaintedPanes>[]} />;
}
