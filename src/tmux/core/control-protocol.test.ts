import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ControlEvent, ControlParser } from './control-protocol.ts';

const STREAM = [
  '%begin 1 10 0',
  '%end 1 10 0',
  '%session-changed $0 main',
  '%begin 1 11 1',
  '漢字 \u001b[2mghost',
  '%output %1 not a notification',
  '%end 1 999 1',
  '%end 1 11 1',
  '%output %3 \\015\\012 x',
  '%extended-output %4 12 : y',
  '%begin 1 12 1',
  "can't find pane: %9",
  '%error 1 12 1',
  '%begin 1 13 1',
  '%end 1 13 1',
  '%pause %4',
  '%continue %4',
  '%subscription-changed pane3 $0 @0 0 %3 : 0|~|title : with colon',
  '%exit too far behind',
  '',
].join('\n');

const EVENTS: readonly ControlEvent[] = [
  { kind: 'reply', ok: true, ours: false, body: '' },
  { kind: 'other', name: '%session-changed', rest: '$0 main' },
  {
    kind: 'reply',
    ok: true,
    ours: true,
    body: '漢字 \u001b[2mghost\n%output %1 not a notification\n%end 1 999 1\n',
  },
  { kind: 'output', paneId: '%3' },
  { kind: 'output', paneId: '%4' },
  { kind: 'reply', ok: false, ours: true, body: "can't find pane: %9\n" },
  { kind: 'reply', ok: true, ours: true, body: '' },
  { kind: 'pause', paneId: '%4' },
  { kind: 'continue', paneId: '%4' },
  { kind: 'subscription', name: 'pane3', value: '0|~|title : with colon' },
  { kind: 'exit', reason: 'too far behind' },
];

const bytes = new TextEncoder().encode(STREAM);

describe('control protocol', () => {
  it('reads a whole stream', () => {
    expect(new ControlParser().push(bytes)).toEqual(EVENTS);
  });

  it('reads the same from any two pieces', () => {
    for (let at = 0; at <= bytes.length; at++) {
      const parser = new ControlParser();
      expect([...parser.push(bytes.slice(0, at)), ...parser.push(bytes.slice(at))]).toEqual(EVENTS);
    }
  });

  it('reads the same from many pieces, and keeps no reference to them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const parser = new ControlParser();
        const events: ControlEvent[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          const piece = bytes.slice(at, at + size);
          events.push(...parser.push(piece));
          piece.fill(0);
          at += size;
        }
        expect(events).toEqual(EVENTS);
      }),
      { seed: 11, numRuns: 50 },
    );
  });
});
