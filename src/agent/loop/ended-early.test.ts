/** Answers that the provider ends early, jobs that take too long, files that cannot be edited now. */
import { describe, expect, test } from 'vitest';
import { AgentStage, conversationFaults, limits, propose, read } from '../../../test/helpers/agent-play.ts';
import { buffersOf } from '../../../test/helpers/agent-tools.ts';

const stage = new AgentStage();

const quote = (file_path: string, old_text: string, new_text: string) => ({ file_path, old_text, new_text });
const beta = quote('b.md', 'beta', 'BETA');
const gamma = quote('b.md', 'gamma', 'GAMMA');

describe('an answer that was cut', () => {
  test('is continued to its end', async () => {
    const { outcome, requests } = await stage.play([
      { text: 'One, two, ', isCut: true },
      { text: 'three, ', isCut: true },
      { text: 'four.' },
    ]);
    expect(outcome).toEqual({ ok: true, value: { edits: [], message: 'One, two, three, four.' } });
    for (const { messages } of requests) expect(conversationFaults(messages)).toEqual([]);
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('Go on exactly where it stopped');
  });

  test('is marked if it never ends', async () => {
    const steps = Array.from({ length: 9 }, (_, at) => ({
      text: `${at} is a number. `,
      isCut: true as const,
    }));
    const { outcome, requests } = await stage.play(steps);
    expect(requests).toHaveLength(4);
    expect(outcome.ok && outcome.value.message).toMatch(
      /^0 is .* 3 is a number\. \n\n\[The answer was cut off/,
    );
  });

  test('is used once if the model starts over', async () => {
    const { outcome, requests } = await stage.play([{ text: 'Let me explain at length', isCut: true }]);
    expect(requests).toHaveLength(2);
    expect(outcome.ok && outcome.value.message).toMatch(/^Let me explain at length\n\n\[The answer was cut/);
  });

  test('an edit as text across two answers is one edit', async () => {
    const { outcome } = await stage.play([
      { text: 'b.md\n<<<<<<< SEARCH\nbeta\n=====', isCut: true },
      { text: '==\nBETA\n>>>>>>> REPLACE\n' },
    ]);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ start_line: 2, end_line: 2 }] } });
  });

  test('without any text, the model is told once', async () => {
    const { outcome, requests } = await stage.play([{ text: '', isCut: true }]);
    expect(requests).toHaveLength(2);
    expect(!outcome.ok && outcome.error.message).toContain('cut off before it said anything');
  });

  test('a truncated call keeps its complete edits, and the rest is requested', async () => {
    const written = JSON.stringify({ edits: [beta, gamma] }).slice(0, -12);
    const { outcome, requests } = await stage.play([
      { calls: [['propose_edits', written]], isCut: true },
      { calls: [propose(gamma)] },
    ]);
    expect(JSON.stringify(requests[1]?.messages)).toContain('1 edit fit and are kept');
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ start_line: 2 }, { start_line: 3 }] } });
  });

  test('a call that lacks only its last brace is complete', async () => {
    const written = JSON.stringify({ edits: [beta, gamma] }).slice(0, -1);
    const { outcome, requests } = await stage.play([{ calls: [['propose_edits', written]] }]);
    expect(requests).toHaveLength(1);
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ start_line: 2 }, { start_line: 3 }] } });
  });
});

describe('a time limit of a job', () => {
  const short = { limits: { ...limits({}).limits, max_job_minutes: 0.002 } };

  test('fails the job', async () => {
    const { outcome } = await stage.play([{ hangs: true }], { input: short });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'timeout' } });
    expect(!outcome.ok && outcome.error.hint).toContain('max_job_minutes');
  });

  test('offers the edits that fit so far', async () => {
    const bad = quote('b.md', 'nowhere', 'x');
    const { outcome } = await stage.play([{ calls: [propose(beta, bad)] }, { hangs: true }], {
      input: short,
    });
    expect(outcome).toMatchObject({
      ok: true,
      value: { edits: [{ new_text: expect.stringMatching(/^BETA/) }] },
    });
    expect(outcome.ok && outcome.value.message).toContain('left out. The model worked for more than');
  });
});

describe('a file that changed on disk while a proposal for it waits', () => {
  const deps = { buffers: { ...buffersOf(), conflicts: new Set(['b.md']) } };

  test.each([
    ['by its text', beta],
    [
      'by its lines',
      { file_path: './b.md', operation: 'replace', start_line: 2, end_line: 2, new_text: 'x' },
    ],
    ['as a whole', { file_path: 'b.md', operation: 'delete_file' }],
  ])('edited %s ends the job at once', async (_, edit) => {
    const { outcome, requests } = await stage.play([{ calls: [propose(edit)] }], { deps });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: 'b.md has changed on disk while a proposal for it waits.' },
    });
    expect(!outcome.ok && outcome.error.hint).toContain('Save, merge or reject');
    expect(requests).toHaveLength(1);
  });

  test('leaves the edits of other files', async () => {
    const other = quote('a.md', '# One', '# Two');
    const { outcome } = await stage.play([{ calls: [read('a.md'), propose(beta, other)] }], { deps });
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ file_path: 'a.md' }] } });
    expect(outcome.ok && outcome.value.message).toContain('Left out: b.md has changed on disk');
  });
});
