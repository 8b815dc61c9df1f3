import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY, eventOf, HELD, look, PANE, REQUEST } from '../../../test/helpers/send-play.ts';
import { wrapInMarkers } from '../../lib/markers.ts';
import { fail } from '../../lib/result.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Composer } from '../../protocol/screen.ts';
import { startSend, stepSend } from './send-machine.ts';
import { DEFAULT_SEND_LIMITS, type SendEvent } from './send-model.ts';
import { resumeSend } from './send-resume.ts';

describe('the two laws', () => {
  const composers = fc.constantFrom<Composer>(
    EMPTY,
    HELD,
    { kind: 'absent' },
    { kind: 'draft', text: 'other' },
    { kind: 'draft', text: 'fix the parser\nplease and more' },
    { kind: 'pill', text: '[Pasted text #1 +2 lines]' },
  );
  const looks = fc.record({
    composer: composers,
    dialog: fc.constantFrom(null, null, 'Do you want?'),
    state: fc.constantFrom('idle' as const, 'working' as const),
    queued: fc.boolean(),
    gone: fc.constantFrom(false, false, false, true),
    failed: fc.constantFrom(null, null, null, 'certain' as const, 'maybe' as const),
    proof: fc.constantFrom(null, null, null, 'transcript' as const),
    passedMs: fc.integer({ min: 1, max: 3000 }),
  });

  it('hold for any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(looks, { minLength: 1, maxLength: 40 }), fc.boolean(), (course, provable) => {
        const request = { ...REQUEST, provable };
        let step = startSend();
        let nowMs = 0;
        let pastes = 0;
        let enters = 0;
        let saved: string = 'none';
        for (const facts of course) {
          for (const effect of step.effects) {
            if (effect.kind === 'save') saved = effect.state;
            if (effect.kind === 'paste') {
              pastes += 1;
              expect(saved).toBe('pasted');
            }
            if (effect.kind === 'enter') enters += 1;
          }
          const last = step.effects.at(-1);
          if (last?.kind === 'finish') return;
          nowMs += facts.passedMs;
          const { composer, dialog, state, queued } = facts;
          const seen = look({ composer, dialog, state, queued }, facts.gone ? { pane: null } : {});
          const before = enters;
          const event: SendEvent =
            facts.failed === null
              ? ({
                  ...eventOf(seen, nowMs),
                  ...(facts.proof && provable ? { proof: { kind: 'delivered', by: 'transcript' } } : {}),
                } as SendEvent)
              : {
                  kind: 'failed',
                  effect: last?.kind ?? 'look',
                  failure: fail('internal', 'broken').error,
                  certain: facts.failed === 'certain',
                  nowMs,
                };
          step = stepSend(request, step.state, event);
          const presses = step.effects.some((effect) => effect.kind === 'enter');
          if (presses && before > 0) {
            expect(composer.kind === 'pill' || composer === HELD).toBe(true);
            expect(dialog).toBeNull();
          }
          if (presses) expect(dialog).toBeNull();
        }
        expect(pastes).toBeLessThanOrEqual(1);
        expect(enters).toBeLessThanOrEqual(DEFAULT_SEND_LIMITS.maxEnters);
      }),
      { seed: 5, numRuns: 3000 },
    );
  });
});

describe('after a crash', () => {
  const entry = (state: OutboxEntry['state'], more: Partial<OutboxEntry> = {}): OutboxEntry => ({
    id: '1',
    pane: PANE.identity,
    text: REQUEST.text,
    hash: '',
    marked: false,
    state,
    reason: null,
    proof: null,
    createdAt: 0,
    updatedAt: 0,
    ...more,
  });
  const say = (...args: Parameters<typeof resumeSend>) => {
    const verdict = resumeSend(...args);
    if (verdict.kind === 'unsent') return 'unsent';
    const { state, proof, failure } = verdict.outcome;
    return [state, proof ?? '', failure?.message ?? ''].join(' | ');
  };

  it('recorded: nothing was typed', () => {
    expect(say(entry('recorded'), look({ composer: HELD }), null)).toBe('unsent');
  });

  it.each(['pasted', 'submitted'] as const)('%s: the composer, then proof, then doubt', (state) => {
    expect(say(entry(state), look({ composer: HELD }), null)).toMatch(/^staged/);
    expect(say(entry(state), look(), { kind: 'delivered', by: 'transcript' })).toMatch(
      /^delivered \| transcript/,
    );
    expect(say(entry(state), look(), null)).toMatch(/^unconfirmed/);
    expect(say(entry(state), null, null)).toMatch(/^unconfirmed/);
    expect(say(entry(state), look({ composer: HELD }, { pane: null }), null)).toMatch(/^unconfirmed/);
  });

  it('markers: our own opening one with its time must be there', () => {
    const text = wrapInMarkers('hi', new Date(2026, 0, 2, 3, 4, 5));
    const marked = entry('submitted', { text, marked: true });
    const absent = { composer: { kind: 'absent' } } as const;
    const rows = [...text.split('\n'), 'answer', ''];
    expect(say(marked, look(absent, { rows, cursorRow: 6 }), null)).toMatch(/^delivered \| marker/);
    const others = [...wrapInMarkers('hi', new Date(2026, 0, 2, 3, 4, 6)).split('\n'), 'answer'];
    expect(say(marked, look(absent, { rows: others, cursorRow: 5 }), null)).toMatch(/^unconfirmed/);
  });
});
