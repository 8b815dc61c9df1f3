import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decoder, PASTE_MAX_CHARACTERS, SEQUENCE_MAX_CHARACTERS } from './decoder.ts';
import type { KeyEvent } from './key.ts';

const ESC = '\u001b';
const show = (event: KeyEvent): string => {
  if (event.kind === 'key') return event.key;
  return event.kind === 'paste' ? `paste(${event.text})` : 'reply';
};
const decode = (input: string): string[] => new Decoder().push(input).map(show);
const decodeAll = (input: string): string[] => {
  const decoder = new Decoder();
  return [...decoder.push(input), ...decoder.flush()].map(show);
};

/** Everything a terminal may send at once, and the keys it means. */
const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['jjjp', ['j', 'j', 'j', 'p']],
  ['ab\rq', ['a', 'b', 'Enter', 'q']],
  ['a b\tc', ['a', 'Space', 'b', 'Tab', 'c']],
  ['\u007f\u0008', ['Backspace', 'Backspace']],
  ['\u0001\u0012\u001a\u0000\n', ['Ctrl+A', 'Ctrl+R', 'Ctrl+Z', 'Ctrl+Space', 'Ctrl+J']],
  ['é漢👍', ['é', '漢', '👍']],
  [`${ESC}[A${ESC}[B${ESC}OC${ESC}[D`, ['Up', 'Down', 'Right', 'Left']],
  [`${ESC}[1;5A${ESC}[1;2C${ESC}[1;3D${ESC}[Z`, ['Ctrl+Up', 'Shift+Right', 'Alt+Left', 'Shift+Tab']],
  [`${ESC}[H${ESC}[F${ESC}[1~${ESC}[4~${ESC}[7~${ESC}[8~`, ['Home', 'End', 'Home', 'End', 'Home', 'End']],
  [`${ESC}[5~${ESC}[6~${ESC}[3~${ESC}[2~`, ['PageUp', 'PageDown', 'Delete', 'Insert']],
  [`${ESC}OP${ESC}[15~${ESC}[24~${ESC}[1;2Q`, ['F1', 'F5', 'F12', 'Shift+F2']],
  [`${ESC}b${ESC}\r${ESC}\u007f${ESC}\u0001`, ['Alt+b', 'Alt+Enter', 'Alt+Backspace', 'Ctrl+Alt+A']],
  [`${ESC}${ESC}[A`, ['Alt+Up']],
  [`${ESC}[97;5u${ESC}[13;2u${ESC}[27u${ESC}[9;2u`, ['Ctrl+A', 'Shift+Enter', 'Esc', 'Shift+Tab']],
  [`${ESC}[97:65;2u${ESC}[97;3u${ESC}[32u`, ['A', 'Alt+a', 'Space']],
  [`${ESC}[97;1:3u${ESC}[97;1:2ub`, ['a', 'b']],
  [`${ESC}[57441;2ua`, ['reply', 'a']],
  [`${ESC}[27;5;105~`, ['Ctrl+I']],
  [`${ESC}[200~one\rtwo\r\nthree\n${ESC}[31mred${ESC}[201~j`, [`paste(one\ntwo\nthree\n${ESC}[31mred)`, 'j']],
  [`${ESC}[200~${ESC}[201~j`, ['paste()', 'j']],
  [`${ESC}]11;rgb:0000/0000/0000${ESC}\\j`, ['reply', 'j']],
  [`${ESC}]11;rgb:ffff/ffff/ffff\u0007j`, ['reply', 'j']],
  [`${ESC}P>|tmux 3.3a${ESC}\\${ESC}_Gi=1;OK${ESC}\\j`, ['reply', 'reply', 'j']],
  [
    `${ESC}[?62;c${ESC}[I${ESC}[O${ESC}[12;40R${ESC}[?1uj`,
    ['reply', 'reply', 'reply', 'reply', 'reply', 'j'],
  ],
  [`${ESC}[<0;10;20Mj${ESC}[M !!k`, ['reply', 'j', 'reply', 'k']],
];

describe('the decoder', () => {
  it.each(CASES)('reads %j in one chunk', (input, expected) => {
    expect(decode(input)).toEqual(expected);
  });

  it('reads the same when the bytes are cut anywhere', () => {
    const encoder = new TextEncoder();
    for (const [input] of CASES) {
      const bytes = encoder.encode(input);
      const whole = decode(input);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const decoder = new Decoder();
        const events = [...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))];
        expect(events.map(show), `${JSON.stringify(input)} cut at ${cut}`).toEqual(whole);
      }
      const single = new Decoder();
      expect([...bytes].flatMap((byte) => single.push(Uint8Array.of(byte))).map(show)).toEqual(whole);
    }
  });

  it.each([
    [ESC, ['Esc']],
    [`${ESC}${ESC}`, ['Esc', 'Esc']],
    [`${ESC}[`, ['Alt+[']],
    [`${ESC}O`, ['Alt+O']],
    [`${ESC}]`, ['Alt+]']],
    [`${ESC}[1;`, ['reply']],
  ])('accepts %j as it is if nothing follows', (input, expected) => {
    expect(decodeAll(input)).toEqual(expected);
  });

  it('says what it is waiting for', () => {
    const decoder = new Decoder();
    expect(decoder.pending).toBe('none');
    decoder.push(ESC);
    expect(decoder.pending).toBe('escape');
    decoder.push('[200~text');
    expect(decoder.pending).toBe('paste');
    expect(decoder.flush().map(show)).toEqual(['paste(text)']);
    expect(decoder.pending).toBe('none');
  });

  it('types plain characters and nothing else', () => {
    const typed = new Decoder()
      .push(`a ${ESC}[Aé${ESC}x\u0001\r`)
      .map((event) => (event.kind === 'key' ? event.text : null));
    expect(typed).toEqual(['a', ' ', null, 'é', null, null, null]);
  });

  it.each([0, 1])('delivers a paste at its bound + %i in pieces', (over) => {
    const decoder = new Decoder();
    const text = 'x'.repeat(PASTE_MAX_CHARACTERS - 1 + over);
    const events = decoder.push(`${ESC}[200~${text}${ESC}[201~j`);
    expect(events.at(-1)).toEqual({ kind: 'key', key: 'j', text: 'j' });
    expect(events.map((event) => (event.kind === 'paste' ? event.text : '')).join('')).toBe(text);
  });

  it('does not hold back an endless sequence forever', () => {
    const decoder = new Decoder();
    expect(decoder.push(`${ESC}]${'x'.repeat(SEQUENCE_MAX_CHARACTERS)}`).map(show)).toEqual(['reply']);
    expect(decoder.pending).toBe('none');
  });

  it('never throws and never types a control character, for any input', () => {
    const unit = fc.constantFrom(
      ESC,
      '[',
      'O',
      ']',
      '\u0007',
      '2',
      '0',
      '~',
      ';',
      'u',
      'M',
      'a',
      '\r',
      '\u009b',
      '👍',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (units, size) => {
        const decoder = new Decoder();
        const input = units.join('');
        const events: KeyEvent[] = [];
        for (let at = 0; at < input.length; at += size)
          events.push(...decoder.push(input.slice(at, at + size)));
        events.push(...decoder.flush(), ...decoder.flush());
        for (const event of events) {
          if (event.kind === 'key' && event.text !== null)
            expect(event.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
