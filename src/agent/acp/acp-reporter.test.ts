import { describe, expect, it } from 'vitest';
import type { LoopDeps } from '../loop/port.ts';
import { AcpReporter } from './acp-reporter.ts';
import { ALLOW, ALLOW_ALL, type AskedCall, REJECT } from './permission.ts';

const FOLDER = '/state/copies/1-x/notes';

function open(root: string, askUser: LoopDeps['askUser']) {
  const said: string[] = [];
  const streamed: string[] = [];
  const emit: LoopDeps['emit'] = (event) => said.push(event.data.summary ?? '');
  const deps = { emit, delta: (text: string) => streamed.push(text), askUser } as unknown as LoopDeps;
  return { said, streamed, reporter: new AcpReporter({ deps, root, folder: FOLDER, now: () => 0 }) };
}

const command = (title: string): AskedCall => {
  return { kind: 'execute', title, locations: [], input: undefined, command: null, texts: [], diffs: [] };
};

describe('simultaneous calls of an agent', () => {
  /** The answers to three simultaneous calls, and the most questions that were open at a time. */
  async function askThree(answers: readonly string[]) {
    const left = [...answers];
    let asking = 0;
    let most = 0;
    const { reporter } = open('/home/ann/notes', async () => {
      asking += 1;
      most = Math.max(most, asking);
      await new Promise(setImmediate);
      asking -= 1;
      const answer = left.shift();
      if (answer === undefined) throw new Error('The job has ended.');
      return answer;
    });
    const asked = await Promise.allSettled(['a', 'b', 'c'].map((title) => reporter.allow(command(title))));
    return { most, allowed: asked.map((one) => (one.status === 'fulfilled' ? one.value : one.status)) };
  }

  it('cause one question after the other', async () => {
    expect(await askThree([ALLOW, REJECT, ALLOW])).toEqual({ most: 1, allowed: [true, false, true] });
  });

  it('are all allowed once the user allows everything', async () => {
    expect(await askThree([REJECT, ALLOW_ALL])).toEqual({ most: 1, allowed: [false, true, true] });
  });

  it('all get an answer when the job ends', async () => {
    expect(await askThree([ALLOW])).toEqual({ most: 1, allowed: [true, 'rejected', 'rejected'] });
  });
});

it('names files of the project, whatever its folder is called', () => {
  const { said, reporter } = open("/home/ann/$&$'", async () => ALLOW);
  reporter.text(`Changed ${FOLDER}/a.md and ${FOLDER.slice(1)}/b.md.`, null);
  reporter.endTurn();
  expect(said).toEqual(["Changed /home/ann/$&$'/a.md and home/ann/$&$'/b.md."]);
});

it('names files of the project while it is still talking, wherever its words are cut', () => {
  for (const size of [1, 2, 3, 7, 100]) {
    const { said, streamed, reporter } = open('/home/ann/notes', async () => ALLOW);
    const words = `See ${FOLDER}/a.md, not /state or ${FOLDER.slice(0, -1)}`;
    for (let at = 0; at < words.length; at += size) reporter.text(words.slice(at, at + size), null);
    reporter.endTurn();
    const shown = 'See /home/ann/notes/a.md, not /state or /state/copies/1-x/note';
    expect([streamed.join(''), ...said]).toEqual([shown, shown]);
  }
});
