import { describe, expect, it } from 'vitest';
import { type TurnFacts, UNWATCHED, watchTurn } from './turn-watch.ts';

/**
 * Successive looks: `turn`, `turn…` while it is answered, `!` while the AI is working, `session:turn` for another
 * session than s, `-` without a session; `old` begins before the first look, `clockless` has no clock. The turn before
 * 3 is 2, and began with 3 if no look had it.
 */
function moments(...looks: readonly string[]): readonly string[] {
  let watch = UNWATCHED;
  const all: string[] = [];
  const began = new Map<string, number>();
  looks.forEach((look, now) => {
    const [, none, session = 's', id = '', goesOn, busy] = /^(-?)(?:(\w+):)?(\w*)(…?)(!?)$/.exec(look) ?? [];
    const startedAt = id.startsWith('clockless') ? null : id.startsWith('old') ? -1 : now;
    const [, name = '', number] = /^(\D*)(\d*)$/.exec(id) ?? [];
    const before = `${name}${Number(number) - 1}`;
    const isFirst = !(Number(number) > 1);
    const previous = { id: before, startedAt: startedAt === null ? null : (began.get(before) ?? now) };
    if (!began.has(id)) began.set(id, now);
    const newest = { id, isOver: goesOn === '', startedAt, previous: isFirst ? null : previous };
    const facts: TurnFacts = {
      session: none === '-' ? null : session,
      newest: id === '' ? null : newest,
      busy: busy === '!',
      now,
    };
    const step = watchTurn(watch, facts);
    watch = step.watch;
    all.push(...step.moments.map(({ moment, turn, late }) => `${moment} ${turn}${late ? ' late' : ''}`));
  });
  return all;
}

describe('the start and end of turns', () => {
  it('looks at the files when it begins to follow, when a turn begins, and when it ends', () => {
    expect(moments('1', '1', '2…!', '2…!', '2', '2')).toEqual(['end 1 late', 'begin 2', 'end 2']);
  });

  it('begins with the first sign of work, and again when the turn has a name', () => {
    expect(moments('1', '1!', '2…!', '2')).toEqual(['end 1 late', 'begin null', 'begin 2', 'end 2']);
  });

  it('ends no turn while the AI is working, whatever the session file says', () => {
    expect(moments('1', '2!', '2!', '2')).toEqual(['end 1 late', 'begin 2', 'end 2']);
  });

  it('ends the previous turn when the next one exists', () => {
    expect(moments('1', '2…!', '3…!', '3')).toEqual(['end 1 late', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('recognizes a turn that had begun before it was followed', () => {
    expect(moments('1…!', '1')).toEqual(['begin 1 late', 'end 1']);
  });

  it('records a turn that began and ended between two looks', () => {
    expect(moments('1', '2', '2')).toEqual(['end 1 late', 'end 2']);
  });

  it('counts late work as part of its turn', () => {
    expect(moments('1', '1!', '1')).toEqual(['end 1 late', 'begin null', 'end 1']);
  });

  it('starts over with another session', () => {
    expect(moments('a:1', 'b:', 'b:1…!', 'b:1')).toEqual(['end 1 late', 'begin null', 'begin 1', 'end 1']);
  });

  it('looks at the files before there is a session, so that its first turn is complete', () => {
    expect(moments('-', '-', '1…!', '1')).toEqual(['begin null', 'begin 1', 'end 1']);
    expect(moments('-', '-!', '1…!', '1')).toEqual(['begin null', 'begin null', 'begin 1', 'end 1']);
    expect(moments('-', '1')).toEqual(['begin null', 'end 1']);
    expect(moments('-', 'clockless')).toEqual(['begin null', 'end clockless']);
  });

  it('does not confuse an older turn of a session that appears late with one whose start it saw', () => {
    expect(moments('-', 'old…!', 'old')).toEqual(['begin null', 'begin old late', 'end old']);
    expect(moments('-', 'old')).toEqual(['begin null', 'end old late']);
    expect(moments('-', 'clockless2')).toEqual(['begin null', 'end clockless2 late']);
  });

  it('does not attribute the changes of an unseen turn to the next one', () => {
    expect(moments('1', '3…!', '3')).toEqual(['end 1 late', 'begin 3 late', 'end 3']);
    expect(moments('1', '3')).toEqual(['end 1 late', 'end 3 late']);
    expect(moments('-', '2…!', '2')).toEqual(['begin null', 'begin 2 late', 'end 2']);
  });

  it('records the first turn of the next session of a pane, and of one that was unknown for a moment', () => {
    expect(moments('a:1', 'b:1…!', 'b:1')).toEqual(['end 1 late', 'begin 1', 'end 1']);
    expect(moments('a:1', '-', 'a:1')).toEqual(['end 1 late']);
  });
});
