import { describe, expect, it } from 'vitest';
import { attributed, command, edit, step, TEN, with_ } from '../../../test/helpers/attributed.ts';

describe('beside another AI in the same working tree', () => {
  const theirs = with_(TEN, [2, 'theirs']);

  it('leaves out changes of its tools, even while a command of this one ran', () => {
    const others = { othersEdits: [edit(TEN, theirs, 5_000)] };
    expect(
      attributed([step(TEN, theirs, 5_000)], { commands: [command(4_000, 9_000)], ...others }),
    ).toBeNull();
    const added = { othersEdits: [edit(null, TEN, 5_000)] };
    expect(attributed([step(null, TEN, 5_000)], { commands: [command(4_000, 9_000)], ...added })).toBeNull();
  });

  it('separates what both wrote into one file, in turn', () => {
    const both = with_(theirs, [9, 'ours']);
    const last = with_(both, [5, 'theirs, too']);
    const edits = [edit(theirs, both, 6_000)];
    const othersEdits = [edit(TEN, theirs, 5_000), edit(both, last, 7_000)];
    const ours = { hunks: ['tool: -9 +ours'], from: with_(theirs, [5, 'theirs, too']) };
    expect(attributed([step(TEN, last, 7_000)], { edits, othersEdits })).toEqual(ours);
    const steps = [
      step(TEN, theirs, 5_000, 5_100),
      step(theirs, both, 6_000, 6_100, 5_100),
      step(both, last, 7_000, 7_100, 6_100),
    ];
    expect(attributed(steps, { edits, othersEdits })).toEqual(ours);
  });

  it('is unknown while commands of both ran', () => {
    const commands = [command(4_000, 9_000)];
    expect(attributed([step(TEN, theirs, 5_000)], { commands, othersCommands: commands })?.hunks).toEqual([
      'unknown: -2 +theirs',
    ]);
  });

  it('ignores its changes after the turn', () => {
    const ours = with_(TEN, [9, 'ours']);
    const othersEdits = [edit(ours, with_(ours, [2, 'later']), 20_000)];
    expect(
      attributed([step(TEN, ours, 5_000)], { edits: [edit(TEN, ours, 5_000)], othersEdits })?.hunks,
    ).toEqual(['tool: -9 +ours']);
  });
});
