import { describe, expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, testView } from '../../../test/helpers/ui-fakes.ts';
import { paintRow } from '../kit/row.ts';
import { createTheme, type ThemeOptions } from '../kit/theme/theme.ts';
import { composeFrame, planFrame } from './frame.ts';
import { skeletonFrame } from './skeleton.ts';

const OPTIONS: ThemeOptions = { depth: '256', background: 'dark', ascii: false, plain: false };

describe('the skeleton', () => {
  it.each([
    [40, 12],
    [80, 24],
    [200, 50],
  ])('has the same chrome as the first frame at %ix%i', async (columns, rows) => {
    const theme = createTheme(OPTIONS);
    const ui = await driveUi(fakeUi({ view: testView({ panes: [], selected: null, turns: [] }) }), {
      size: { columns, rows },
    });
    const { state, facts } = ui.controller.model.get();
    const frame = composeFrame(planFrame(state, facts, theme), theme).map((row) => paintRow(row, theme));
    const skeleton = skeletonFrame(columns, rows, OPTIONS)
      .replace(/^(\u001b\[[?0-9;]*[a-zA-Z])*?(?=\u001b\[1m copane)/, '')
      .replace(/\u001b\[H$/, '')
      .split('\r\n');
    expect(skeleton).toHaveLength(rows);
    for (const row of [0, 1, rows - 2]) expect(skeleton[row], `row ${row}`).toBe(frame[row]);
  });

  it('is empty without room, and in plain mode', () => {
    expect(skeletonFrame(20, 5, OPTIONS)).toBe('');
    expect(skeletonFrame(80, 24, { ...OPTIONS, plain: true })).toBe('');
  });
});
