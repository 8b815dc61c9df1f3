/** The cost of one token of a streaming answer on the Agent screen, including frame and paint, beside its time budget. */
import { performance } from 'node:perf_hooks';
import { composeFrame, planFrame } from '../src/ui/app/frame.ts';
import { paintRow } from '../src/ui/kit/row.ts';
import { createTheme } from '../src/ui/kit/theme/theme.ts';
import { fakeAgent, TEST_EVENTS, testAgentView, testJob } from '../test/helpers/agent-fakes.ts';
import { driveUi } from '../test/helpers/ui-driver.ts';
import { fakeUi } from '../test/helpers/ui-fakes.ts';
import type { BenchSuite } from './harness.ts';

const JOBS = 40;
const TOKENS = 400;
const TOKENS_PER_SECOND = 200;
const THEME = createTheme({ depth: '256', background: 'dark', ascii: false, plain: false });

/** A long session whose last job is streaming. */
function longView() {
  const jobs = Array.from({ length: JOBS }, (_, index) =>
    testJob({ id: `j${index}`, status: index === JOBS - 1 ? 'running' : 'completed' }),
  );
  return testAgentView({ jobs, events: new Map(jobs.map(({ id }) => [id, TEST_EVENTS])) });
}

export const suite: BenchSuite = {
  name: 'agent screen',
  prepare: async () => {
    const agent = fakeAgent(longView());
    const ui = await driveUi(fakeUi({ agent }), { size: { columns: 120, rows: 50 } });
    await ui.type('3');
    await ui.type('\r');
    const paint = () => {
      const { state, facts } = ui.controller.model.get();
      for (const row of composeFrame(planFrame(state, facts, THEME), THEME)) paintRow(row, THEME);
    };
    /** Milliseconds for each of `TOKENS` changes. */
    const timed = async (change: (index: number) => Promise<void> | void) => {
      const start = performance.now();
      for (let index = 0; index < TOKENS; index++) {
        await change(index);
        paint();
      }
      return (performance.now() - start) / TOKENS;
    };
    return {
      rows: [
        {
          name: 'a token of a streaming answer, frame painted',
          peer: 'the time between tokens at 200 a second',
          target: 0.25,
          ours: () => {
            let text = '';
            return timed((index) => {
              text += index % 12 === 11 ? '\n' : 'token ';
              agent.set({ ...agent.getSnapshot(), stream: { job: `j${JOBS - 1}`, text } });
            });
          },
          theirs: async () => 1000 / TOKENS_PER_SECOND,
        },
      ],
      cleanup: () => ui.controller.stop(),
    };
  },
};
