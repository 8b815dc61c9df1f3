import { describe, expect, it } from 'vitest';
import type { Choice, DialogOption } from '../../protocol/dialog.ts';
import { ANSWER_BEGINS, type AnswerProgress, type AnswerRequest, nextAnswerStep } from './answer.ts';

function option(fields: Partial<DialogOption>): DialogOption {
  return { label: '', description: '', checked: null, takesText: false, leads: null, ...fields };
}

/** A program that shows a dialog: keys move its pointer, and Enter acts as in real programs. */
class Program {
  now: Choice | null;
  readonly taken: string[] = [];

  constructor(options: readonly Partial<DialogOption>[], more: Partial<Choice> = {}) {
    this.now = { question: 'Go on?', options: options.map(option), pointed: 0, keys: 'down', ...more };
  }

  press(key: string): void {
    const { now } = this;
    if (now === null) return;
    const at = now.pointed ?? 0;
    const last = now.options.length - 1;
    if (key === 'Down' || key === 'Right') this.now = { ...now, pointed: at === last ? 0 : at + 1 };
    else if (key === 'Up' || key === 'Left') this.now = { ...now, pointed: at === 0 ? last : at - 1 };
    else if (key === 'Enter') this.enter(now, at);
    else this.taken.push(key);
  }

  enter(now: Choice, at: number): void {
    const chosen = now.options[at];
    if (chosen === undefined) return;
    if (chosen.checked === null) {
      this.taken.push(chosen.label);
      this.now = null;
    } else this.change(at, { checked: !chosen.checked });
  }

  change(at: number, fields: Partial<DialogOption>): void {
    if (this.now === null) return;
    const options = this.now.options.map((each, index) => (index === at ? { ...each, ...fields } : each));
    this.now = { ...this.now, options };
  }
}

/** Runs an answer to its end; returns how it ended. */
function run(program: Program, wanted: Partial<AnswerRequest>): string {
  const { now } = program;
  if (now === null) throw new Error('the program asks nothing');
  let progress: AnswerProgress = ANSWER_BEGINS;
  for (let keys = 0; keys < 30; keys += 1) {
    const step = nextAnswerStep({ seen: now, option: 0, words: null, ...wanted }, progress, program.now);
    if (step.kind === 'done') return 'done';
    if (step.kind === 'wait' || step.kind === 'refused') return step.failure.message;
    if (step.kind === 'paste')
      program.change(program.now?.pointed ?? 0, { label: wanted.words ?? '', takesText: false });
    else for (const key of step.keys) program.press(key);
    progress = step.next;
  }
  return 'no end';
}

const THREE = [{ label: 'Yes' }, { label: 'Always' }, { label: 'No' }];

describe('an answer', () => {
  it.each([0, 1, 2])('is the chosen one: %i', (wanted) => {
    const program = new Program(THREE, { pointed: 1 });
    expect(run(program, { option: wanted })).toBe('done');
    expect(program.taken).toEqual([THREE[wanted]?.label]);
  });

  it('moves right when the answers are in one row', () => {
    const program = new Program(THREE, { keys: 'right' });
    expect(run(program, { option: 2 })).toBe('done');
    expect(program.taken).toEqual(['No']);
  });

  it('toggles a box and leaves the dialog open', () => {
    const program = new Program([
      { label: 'A', checked: false },
      { label: 'B', checked: false },
    ]);
    expect(run(program, { option: 1 })).toBe('done');
    expect(program.now?.options.map(({ checked }) => checked)).toEqual([false, true]);
  });

  it('types text into the answer that takes it', () => {
    const program = new Program([{ label: 'Yes' }, { label: 'Tell Claude what to change', takesText: true }]);
    expect(run(program, { option: 1, words: 'shorter,\nplease' })).toBe('done');
    expect(program.taken).toEqual(['shorter,\nplease']);
  });

  it('is a letter if the program expects one', () => {
    const program = new Program([{ label: 'Yes' }, { label: 'No' }], { pointed: null, keys: 'letter' });
    program.enter = () => {
      program.now = null;
    };
    expect(run(program, { option: 1 })).toBe('done');
    expect(program.taken).toEqual(['N']);
  });
});

describe('no answer is given', () => {
  it('when another question is open now', () => {
    const program = new Program(THREE);
    const other = { ...new Program(THREE).now, question: 'Delete all?' } as Choice;
    expect(run(program, { seen: other })).toContain('another one now');
    expect(program.taken).toEqual([]);
  });

  it('when the question changes while the pointer moves', () => {
    const program = new Program(THREE);
    const press = program.press.bind(program);
    program.press = (key) => {
      press(key);
      if (program.now !== null) program.now = { ...program.now, question: 'Delete all?' };
    };
    expect(run(program, { option: 2 })).toContain('another one now');
    expect(program.taken).toEqual([]);
  });

  it('when the answer becomes another one while the pointer moves', () => {
    const program = new Program(THREE);
    const press = program.press.bind(program);
    program.press = (key) => {
      press(key);
      program.change(2, { label: 'Always, in every project' });
    };
    expect(run(program, { option: 2 })).toContain('another one now');
    expect(program.taken).toEqual([]);
  });

  it('when the pointer does not move', () => {
    const program = new Program(THREE);
    program.press = () => undefined;
    expect(run(program, { option: 1 })).toContain('did not change');
  });

  it('when the screen does not show the pointer', () => {
    expect(run(new Program(THREE, { pointed: null }), {})).toContain('does not show which answer');
  });

  it('when the typed text does not appear in it', () => {
    const program = new Program([{ label: 'Type something', takesText: true }]);
    program.change = () => undefined;
    expect(run(program, { words: 'hello' })).toContain('not seen in the answer');
  });

  it('is reported when Enter changes nothing', () => {
    const program = new Program(THREE);
    program.enter = () => undefined;
    expect(run(program, {})).toContain('asks the same still');
  });
});
