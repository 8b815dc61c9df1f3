import { describe, expect, it } from 'vitest';
import { type TurnFacts, UNWATCHED, watchTurn } from './turn-watch.ts';

/** Looks, one after the other: `turn`, `turn…` while it is answered, `!` while the AI is at work. */
function moments(...looks: readonly string[]): readonly string[] {
  let watch = UNWATCHED;
  const all: string[] = [];
  for (const look of looks) {
    const [, session = '', id = '', goesOn, busy] = /^(?:(\w+):)?(\w*)(…?)(!?)$/.exec(look) ?? [];
    const facts: TurnFacts = {
      session: session || 's',
      newest: id === '' ? null : { id, isOver: goesOn === '' },
      busy: busy === '!',
    };
    const step = watchTurn(watch, facts);
    watch = step.watch;
    all.push(...step.moments.map(({ moment, turn, late }) => `${moment} ${turn}${late ? ' late' : ''}`));
  }
  return all;
}

describe('when turns begin and end', () => {
  it('looks at the files when it begins to follow, when a turn begins, and when it ends', () => {
    expect(moments('1', '1', '2…!', '2…!', '2', '2')).toEqual(['begin null', 'begin 2', 'end 2']);
  });

  it('begins with the first sign of work, and again when the turn has a name', () => {
    expect(moments('1', '1!', '2…!', '2')).toEqual(['begin null', 'begin null', 'begin 2', 'end 2']);
  });

  it('ends no turn while the AI is at work, whatever the session file says', () => {
    expect(moments('1', '2!', '2!', '2')).toEqual(['begin null', 'begin 2', 'end 2']);
  });

  it('ends the turn before when the next one is there', () => {
    expect(moments('1', '2…!', '3…!', '3')).toEqual(['begin null', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('knows that a turn had begun before it was followed', () => {
    expect(moments('1…!', '1')).toEqual(['begin 1 late', 'end 1']);
  });

  it('has a turn that began and ended between two looks', () => {
    expect(moments('1', '2', '2')).toEqual(['begin null', 'end 2']);
  });

  it('counts late work to the turn that it belongs to', () => {
    expect(moments('1', '1!', '1')).toEqual(['begin null', 'begin null', 'end 1']);
  });

  it('begins anew with another session', () => {
    expect(moments('a:1', 'b:', 'b:2…!', 'b:2')).toEqual(['begin null', 'begin null', 'begin 2', 'end 2']);
  });
});
