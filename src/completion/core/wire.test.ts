/** The socket's sans-IO parts: lines out of bytes, offsets, sessions, both reply formats. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { indexOfOffset, offsetOfIndex } from './position.ts';
import { formatJsonReply, formatSeparatedReply, isTransmissible } from './reply.ts';
import { Sessions } from './sessions.ts';

const LIMIT = 64;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('Connection', () => {
  it('gives the same lines however the bytes are split', () => {
    const line = fc.string({ maxLength: 20 }).filter((text) => !text.includes('\n') && text.trim() !== '');
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.array(fc.nat(10), { maxLength: 40 }),
        (lines, cuts) => {
          const connection = new Connection({ maxLineBytes: 1000 });
          const all = bytes(lines.map((text) => `${text}\n`).join(''));
          const events: unknown[] = [];
          let from = 0;
          for (const cut of cuts) {
            events.push(...connection.push(all.subarray(from, from + cut)));
            from += cut;
          }
          events.push(...connection.push(all.subarray(from)));
          expect(events).toEqual(lines.map((text) => ({ kind: 'line', text })));
        },
      ),
      { seed: 7 },
    );
  });

  it('accepts a line at the limit, refuses one byte more, once, and continues', () => {
    const connection = new Connection({ maxLineBytes: LIMIT });
    expect(connection.push(bytes(`${'x'.repeat(LIMIT)}\n`))).toEqual([
      { kind: 'line', text: 'x'.repeat(LIMIT) },
    ]);
    expect(connection.push(bytes('x'.repeat(LIMIT + 1)))).toEqual([{ kind: 'overlong' }]);
    expect(connection.push(bytes('x'.repeat(1000)))).toEqual([]);
    expect(connection.push(bytes('\nnext\n'))).toEqual([{ kind: 'line', text: 'next' }]);
  });

  it('reads a last line without its newline, and no line twice', () => {
    const connection = new Connection({ maxLineBytes: LIMIT });
    expect(connection.push(bytes('half'))).toEqual([]);
    expect(connection.end()).toEqual([{ kind: 'line', text: 'half' }]);
    expect(connection.finished).toBe(true);
  });

  it('rejects bytes that are not text', () => {
    const connection = new Connection({ maxLineBytes: LIMIT });
    expect(connection.push(Uint8Array.of(0xff, 0xfe, 0x0a))).toEqual([{ kind: 'malformed' }]);
    expect(connection.push(Uint8Array.of(0xe4, 0xb8))).toEqual([]);
    expect(connection.push(Uint8Array.of(0x96, 0x0a))).toEqual([{ kind: 'line', text: '世' }]);
  });

  it('is finished only when everything was received and every request is answered', () => {
    const connection = new Connection({ maxLineBytes: LIMIT });
    connection.begin();
    connection.end();
    expect(connection.finished).toBe(false);
    connection.settle();
    expect(connection.finished).toBe(true);
  });
});

describe('offsets', () => {
  it.each([
    ['echo 世界 é', 14, 'byte', 9],
    ['echo 世界 é', 9, 'char', 9],
    ['echo 世界', 6, 'byte', 5],
    ['echo 世界', 7, 'byte', 5],
    ['echo 世界', 8, 'byte', 6],
    ['a😀b', 1, 'char', 1],
    ['a😀b', 2, 'char', 3],
    ['a😀b', 3, 'byte', 1],
    ['abc', 99, 'byte', 3],
    ['abc', -5, 'byte', 0],
  ] as const)('%j at %i %ss is index %i', (text, offset, unit, index) => {
    expect(indexOfOffset(text, offset, unit)).toBe(index);
  });

  it('are each other’s inverse at every character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.constantFrom('byte' as const, 'char' as const),
        (text, unit) => {
          let index = 0;
          for (const character of text) {
            expect(indexOfOffset(text, offsetOfIndex(text, index, unit), unit)).toBe(index);
            index += character.length;
          }
          expect(offsetOfIndex(text, text.length, 'byte')).toBe(bytes(text).length);
        },
      ),
      { seed: 11 },
    );
  });
});

describe('Sessions', () => {
  it('a newer request supersedes the older of its session, no other, and none without a session', () => {
    const sessions = new Sessions<string>();
    expect(sessions.begin('1', 'a')).toBeNull();
    expect(sessions.begin('2', 'b')).toBeNull();
    expect(sessions.begin('1', 'c')).toBe('a');
    sessions.end('1', 'a');
    expect(sessions.begin('1', 'd')).toBe('c');
    expect(sessions.begin('', 'e')).toBeNull();
    expect(sessions.begin('', 'f')).toBeNull();
  });

  it('keeps nothing about finished requests', () => {
    const sessions = new Sessions<number>();
    for (let at = 0; at < 1000; at += 1) {
      sessions.begin(String(at), at);
      sessions.end(String(at), at);
    }
    expect(sessions.begin('1', -1)).toBeNull();
  });
});

describe('replies', () => {
  const reply = {
    request_id: 42,
    candidates: [
      {
        completion: 'git commit -m ""',
        confidence: 0.9,
        cursor_pos: 15,
        source: 'history',
        description: 'the\u001fmessage',
        why: ['used before'],
      },
      { completion: 'for i in 1; do\n  x\ndone', confidence: 0.1, partial: true as const },
    ],
  };

  it('JSON is one line', () => {
    const text = formatJsonReply(reply);
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(JSON.parse(text)).toEqual(reply);
  });

  it('separators are one line, split by RS and US', () => {
    const text = formatSeparatedReply(reply);
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(
      text
        .trimEnd()
        .split('\u001e')
        .map((record) => record.split('\u001f')),
    ).toEqual([
      ['sep1', '42', '2', '', ''],
      ['git commit -m ""', '15', '0.900', 'history', '', '', '', 'the␟message', 'used before'],
      ['for i in 1; do\u001d  x\u001ddone', '', '0.100', '', '', '1', '', '', ''],
    ]);
  });

  it('an empty list is [] and an error has its code', () => {
    expect(formatJsonReply({ request_id: 1, candidates: [] })).toBe('{"request_id":1,"candidates":[]}\n');
    expect(
      formatSeparatedReply({
        request_id: 1,
        candidates: [],
        error: { code: 'model_not_found', message: 'a\u001fb\nc' },
      }),
    ).toBe('sep1\u001f1\u001f0\u001fmodel_not_found\u001fa␟b\u001dc\n');
  });

  it('recognizes text that must not be sent', () => {
    expect(['ls', 'a\tb', 'a\nb', '世'].every(isTransmissible)).toBe(true);
    expect(['\u001b[31m', 'a\u0000', 'a\u001fb', '\u009b1m', 'a\rb'].some(isTransmissible)).toBe(false);
    expect(
      ['a\u202eb', 'a\u200bb', 'a\u00adb', 'a\u2066b', '\u3164', 'a\u{e0041}'].some(isTransmissible),
    ).toBe(false);
  });

  it('makes invisible characters visible in the description of a candidate', () => {
    const about = {
      completion: 'npm run ok',
      confidence: 1,
      description: 'x\u202ey\u001b]52;',
      why: ['a\u200bb'],
    };
    const text = formatSeparatedReply({ request_id: 1, candidates: [about], notice: '\u2066n' });
    expect(text).toContain('\u001fx<202E>y␛]52;\u001fa<200B>b');
    expect(text).toContain('\u001f<2066>n\u001e');
  });
});
