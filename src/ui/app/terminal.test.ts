import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { testClock } from '../../../test/helpers/ui-fakes.ts';
import { createTerminalInput, ESCAPE_TIMEOUT_MS, PASTE_TIMEOUT_MS } from './terminal.ts';

class FakeInput extends EventEmitter {
  readonly isTTY = true;
  readonly log: string[] = [];
  setRawMode(raw: boolean): void {
    this.log.push(raw ? 'raw' : 'cooked');
  }
  resume(): void {
    this.log.push('resume');
  }
  pause(): void {
    this.log.push('pause');
  }
}

function open(isAlternate = true, hasMouse = false) {
  const stdin = new FakeInput();
  const clock = testClock();
  const keys: string[] = [];
  let written = '';
  const input = createTerminalInput({
    stdin,
    stdout: {
      isTTY: true,
      write: (text) => {
        written += text;
      },
    },
    clock,
    isAlternate,
    hasMouse,
    onKeys: (events) =>
      keys.push(events.map((event) => (event.kind === 'key' ? event.key : event.kind)).join(' ')),
  });
  return { stdin, clock, keys, input, written: () => written };
}

describe('the terminal as an input', () => {
  it('turns mouse reports on once they are wanted, and off on release', () => {
    const { stdin, keys, input, written } = open();
    input.start();
    stdin.emit('data', '\u001b[<0;3;3M');
    expect(keys).toEqual([]);
    input.setMouse(true);
    expect(written()).toContain('\u001b[?1002h');
    stdin.emit('data', '\u001b[<0;3;3M');
    expect(keys).toEqual(['reply']);
    input.stop();
    expect(written().endsWith('\u001b[?1006l\u001b[?1002l\u001b[?2004l')).toBe(true);
    input.setMouse(false);
    input.start();
    expect(written().match(/1002h/g)).toHaveLength(1);
  });

  it('passes on a burst at once', () => {
    const { stdin, keys, input } = open();
    input.start();
    stdin.emit('data', Buffer.from('ab\r'));
    expect(keys).toEqual(['a b Enter']);
  });

  it('recognizes a lone ESC as the Esc key after its timeout, not before', () => {
    const { stdin, clock, keys, input } = open();
    input.start();
    stdin.emit('data', '\u001b');
    clock.advance(ESCAPE_TIMEOUT_MS - 1);
    expect(keys).toEqual([]);
    clock.advance(1);
    expect(keys).toEqual(['Esc']);
    stdin.emit('data', '\u001b');
    stdin.emit('data', '[A');
    clock.advance(ESCAPE_TIMEOUT_MS);
    expect(keys).toEqual(['Esc', 'Up']);
  });

  it('waits longer for the end of a paste', () => {
    const { stdin, clock, keys, input } = open();
    input.start();
    stdin.emit('data', '\u001b[200~text');
    clock.advance(PASTE_TIMEOUT_MS - 1);
    expect(keys).toEqual([]);
    clock.advance(1);
    expect(keys).toEqual(['paste']);
  });

  it('releases everything, reads nothing meanwhile, and takes it back', () => {
    const { stdin, keys, input, written } = open();
    input.start();
    stdin.emit('data', '\u001b');
    input.stop();
    expect(stdin.log.slice(-2)).toEqual(['cooked', 'pause']);
    expect(stdin.listenerCount('data')).toBe(0);
    stdin.emit('data', 'q');
    input.start();
    stdin.emit('data', 'x');
    expect(keys).toEqual(['x']);
    expect(written()).toBe('\u001b[?2004h\u001b[?2004l\u001b[?2004h');
  });

  it.each([
    [true, true],
    [false, false],
  ])('restores once, and leaves the alternate screen only if it was entered (%s)', (isAlternate, leaves) => {
    const { input, written } = open(isAlternate);
    input.restore();
    expect(written()).toBe('');
    input.start();
    input.restore();
    input.restore();
    expect(written().match(/\u001b\[\?25h/g)).toHaveLength(1);
    expect(written().includes('\u001b[?1049l')).toBe(leaves);
  });

  it('turns mouse reports on only if wanted, and off at every release', () => {
    const { stdin, keys, input, written } = open(true, true);
    input.start();
    expect(written()).toContain('\u001b[?1002h\u001b[?1006h');
    stdin.emit('data', '\u001b[<0;1;1M');
    expect(keys).toEqual(['reply']);
    input.stop();
    input.start();
    input.restore();
    expect(written().match(/\u001b\[\?1006l\u001b\[\?1002l/g)).toHaveLength(2);
    expect(written().lastIndexOf('\u001b[?1006l')).toBeGreaterThan(written().lastIndexOf('\u001b[?1006h'));
  });

  it('drops unrequested reports', () => {
    const { stdin, keys, input, written } = open();
    input.start();
    stdin.emit('data', '\u001b[<0;1;1Mx\u001b[<0;1;1m');
    expect(keys).toEqual(['x']);
    expect(written()).not.toContain('\u001b[?1002h');
  });
});
