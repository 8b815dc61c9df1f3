import { describe, expect, it } from 'vitest';
import {
  EMPTY_AGENT,
  fakeAgent,
  TEST_EVENTS,
  testAgentView,
  testEvents,
  testJob,
} from '../../../test/helpers/agent-fakes.ts';
import { openAgent } from '../../../test/helpers/agent-screen.ts';
import { fakeReview, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi, TEST_NOW } from '../../../test/helpers/ui-fakes.ts';
import { fail, ok } from '../../lib/result.ts';
import type { AgentView } from './port.ts';

const QUESTION = { question_id: 'q1', question: 'Links too?', options: [], asked_at: TEST_NOW };

function asking(): AgentView {
  return testAgentView({
    jobs: [testJob({ status: 'waiting_for_user', question: QUESTION })],
    events: new Map([['j1', TEST_EVENTS.slice(0, 7)]]),
  });
}

describe('the conversation', () => {
  it('follows nothing before the screen is shown, then the opened session, even on other screens', async () => {
    const { ui, agent } = await openAgent();
    expect(agent.followed.at(-1)).toBe('s1');
    await ui.type('1');
    expect(agent.followed.at(-1)).toBe('s1');
    const unseen = fakeAgent(testAgentView());
    await driveUi(fakeUi({ agent: unseen }));
    expect(unseen.followed).toEqual([]);
  });

  it('shows a job from instruction to proposal, and keeps its growing end in view', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n');
    const { ui, agent } = await openAgent(
      testAgentView({ jobs: [testJob({ status: 'running' })], stream: { job: 'j1', text: lines } }),
    );
    expect(ui.screen()).toContain('line 59');
    expect(ui.screen()).toContain('working');
    agent.set({ ...agent.getSnapshot(), stream: { job: 'j1', text: `${lines}\nline 60` } });
    expect(ui.screen()).toContain('line 60');
    await ui.type('gg');
    expect(ui.screen()).toContain('Rename the heading "Setup"');
    expect(ui.screen()).not.toContain('line 60');
    await ui.type('G');
    expect(ui.screen()).toContain('line 60');
  });

  it('opens only the marked card', async () => {
    const { ui } = await openAgent();
    expect(ui.screen()).not.toContain('## Use: [241-2310]');
    for (const key of 'kkkkk') await ui.type(key);
    await ui.type('\u000f');
    expect(ui.screen()).toContain('## Use: [241-2310]');
    expect(ui.screen()).not.toContain('query: "^## Setup"');
    await ui.type('\u000f');
    expect(ui.screen()).not.toContain('## Use: [241-2310]');
  });

  it('opens a proposal on the review screen', async () => {
    const review = fakeReview({ suggestions: [testSuggestion({ id: 'sugg_1' })], isRead: true });
    const ui = await driveUi(fakeUi({ agent: fakeAgent(testAgentView()), review }));
    for (const key of ['3', '\r', '\r']) await ui.type(key);
    expect(ui.state().screen).toBe('review');
    expect(ui.state().review.suggestion).toBe('sugg_1');
  });

  it('puts a requested map below the job, closed', async () => {
    const { ui, agent } = await openAgent();
    await ui.type('i');
    await ui.type('/map notes/guide.md');
    await ui.type('\r');
    await ui.settle();
    expect(agent.acts).toEqual([]);
    const rows = ui
      .rows()
      .filter((line) => line.includes('File Map: guide.md │ 3 symbols │ 2,310 lines │ Markdown'));
    expect(rows.map((line) => line.trim().endsWith('Ctrl+O'))).toEqual([true, true]);
    await ui.type('\r');
    expect(ui.screen()).toContain('## Use: [241-2310]');
    await ui.type('i');
    await ui.type('/map missing.md');
    await ui.type('\r');
    await ui.settle();
    expect(ui.screen()).toContain('There is no file missing.md.');
    expect(ui.state().agent.editor.draft.lines[0]?.text).toBe('/map missing.md');
  });

  it('says what failed and what helps', async () => {
    const events = testEvents([
      [
        'job.failed',
        { error: { code: 'timeout', message: 'The model was silent for 120 s.', hint: 'Is it running?' } },
      ],
    ]);
    const { ui } = await openAgent(
      testAgentView({ jobs: [testJob({ status: 'failed' })], events: new Map([['j1', events]]) }),
    );
    expect(ui.screen()).toContain('The model was silent for 120 s.');
    expect(ui.screen()).toContain('Is it running?');
  });

  it('keeps what the model was saying when the job was stopped, and asks nothing any more', async () => {
    const error = { code: 'cancelled', message: 'The job was cancelled.', hint: null };
    const events = testEvents([
      ['clarification.requested', { question_id: 'q1', question: 'Which one?', options: ['a', 'b'] }],
      ['message.completed', { text: 'First I look at the', unfinished: true }],
      ['job.failed', { error }],
    ]);
    const { ui } = await openAgent(
      testAgentView({ jobs: [testJob({ status: 'failed' })], events: new Map([['j1', events]]) }),
    );
    const wanted = /The model ask.*|Not finished|First I look at the|Stopped/;
    const shown = ui.rows().flatMap((row) => wanted.exec(row)?.[0].trim() ?? []);
    expect(shown).toEqual(['The model asked', 'Not finished', 'First I look at the', 'Stopped']);
  });

  it('draws control characters from a model as signs', async () => {
    const events = testEvents([['message.completed', { text: 'a\u001b[31mred\u0007' }]]);
    const { ui } = await openAgent(testAgentView({ events: new Map([['j1', events]]) }));
    expect(ui.screen()).not.toMatch(/[\u001b\u0007]/);
    expect(ui.screen()).toContain('red');
  });
});

describe('writing', () => {
  it('begins a session with the first instruction', async () => {
    const { ui, agent } = await openAgent(EMPTY_AGENT, 'i');
    agent.answer = ok({ words: '', begun: 's9' });
    await ui.type('fix the typos');
    await ui.type('\r');
    expect(agent.acts).toEqual([
      { kind: 'run', session: null, instruction: 'fix the typos', confirmBeforeEdits: false },
    ]);
    expect(ui.state().agent.focus).toBe('chat');
    expect(agent.followed.at(-1)).toBe('s9');
  });

  it('continues the open session with text of several lines, and asks before edits on request', async () => {
    const { ui, agent } = await openAgent();
    await ui.type('e');
    expect(ui.screen()).toContain('asks before edits');
    await ui.type('i');
    await ui.type('one\u001b\rtwo');
    await ui.type('\r');
    expect(agent.acts).toEqual([
      { kind: 'run', session: 's1', instruction: 'one\ntwo', confirmBeforeEdits: true },
    ]);
  });

  it('restores text that could not be sent, and says why', async () => {
    const { ui, agent } = await openAgent();
    agent.answer = fail('refused', '25 sessions are open.', 'Put one away.');
    await ui.type('i');
    await ui.type('again');
    await ui.type('\r');
    expect(ui.screen()).toContain('25 sessions are open. Put one away.');
    expect(ui.state().agent.editor.draft.lines.map(({ text }) => text)).toEqual(['again']);
  });

  it('sends nothing while a job runs, and nothing empty', async () => {
    const { ui, agent } = await openAgent(testAgentView({ jobs: [testJob({ status: 'running' })] }));
    await ui.type('i');
    await ui.type('\r');
    await ui.type('more');
    await ui.type('\r');
    expect(agent.acts).toEqual([]);
    expect(ui.screen()).toContain('the text is kept');
  });

  it('answers or skips the open question', async () => {
    const { ui, agent } = await openAgent(asking());
    expect(ui.screen()).toContain('─ Answer');
    await ui.type('i');
    await ui.type('yes');
    await ui.type('\r');
    await ui.type('s');
    expect(agent.acts).toEqual([
      { kind: 'answer', job: 'j1', question: 'q1', answer: 'yes' },
      { kind: 'answer', job: 'j1', question: 'q1', answer: null },
    ]);
  });

  it('offers the answers to a question in a menu on Enter', async () => {
    const question = { ...QUESTION, question: 'May it run make?', options: ['Allow', 'Reject'] };
    const job = testJob({ status: 'waiting_for_user', question });
    const { question_id, options } = question;
    const data = { summary: '', question_id, question: question.question, options };
    const events = testEvents([['clarification.requested', data]]);
    const { ui, agent } = await openAgent(testAgentView({ jobs: [job], events: new Map([['j1', events]]) }));
    expect(ui.screen()).toContain('2  Reject');
    await ui.type('i');
    await ui.type('half a thought');
    await ui.type('\u001b');
    await ui.type('\r');
    await ui.type('\u001b[B');
    await ui.type('\r');
    expect(agent.acts).toEqual([{ kind: 'answer', job: 'j1', question: 'q1', answer: 'Reject' }]);
    const { editor, history } = ui.state().agent;
    expect([editor.draft.lines.map(({ text }) => text), history]).toEqual([['half a thought'], []]);
  });

  it('offers no answers to a question that is already answered', async () => {
    const ask = (question_id: string) => ({ question_id, question: 'May it?', options: ['Allow', 'Reject'] });
    const job = testJob({ status: 'waiting_for_user', question: { ...ask('q2'), asked_at: TEST_NOW } });
    const events = testEvents([
      ['clarification.requested', { summary: '', ...ask('q1') }],
      ['clarification.received', { summary: '', question_id: 'q1', answer: 'Allow' }],
      ['clarification.requested', { summary: '', ...ask('q2') }],
    ]);
    const { ui } = await openAgent(testAgentView({ jobs: [job], events: new Map([['j1', events]]) }));
    for (const key of ['k', 'k', '\r']) await ui.type(key);
    expect([ui.state().overlay, ui.state().agent.focus]).toEqual([null, 'write']);
  });

  it('recalls sent instructions', async () => {
    const { ui } = await openAgent();
    for (const text of ['first', 'second']) {
      await ui.type('i');
      await ui.type(text);
      await ui.type('\r');
    }
    await ui.type('i');
    const text = () =>
      ui
        .state()
        .agent.editor.draft.lines.map((line) => line.text)
        .join('\n');
    await ui.type('\u001b[A');
    expect(text()).toBe('second');
    await ui.type('\u001b[A');
    expect(text()).toBe('first');
    await ui.type('\u001b[B\u001b[B');
    expect(text()).toBe('');
  });

  it('completes a file after @, and only there', async () => {
    const { ui, agent } = await openAgent();
    agent.files = ['src/parse.ts', 'src/print.ts'];
    await ui.type('i');
    await ui.type('look at @src');
    await ui.settle();
    expect(ui.screen()).toContain('@src/print.ts');
    await ui.type('\u001b[B');
    await ui.type('\t');
    const [line] = ui.state().agent.editor.draft.lines;
    expect(line?.text).toBe('look at @src/print.ts ');
    await ui.type('a@b');
    await ui.settle();
    expect(ui.state().agent.completion).toBeNull();
  });

  it('accepts a paste as text in any focus', async () => {
    const { ui, agent } = await openAgent();
    await ui.type('\u001b[200~x\nq\u001b[201~');
    expect(agent.acts).toEqual([]);
    expect(ui.state().agent.editor.draft.lines.map(({ text }) => text)).toEqual(['x', 'q']);
  });

  it('keeps an abandoned text', async () => {
    const { ui } = await openAgent();
    await ui.type('i');
    await ui.type('half');
    await ui.type('\u001b[27u');
    expect(ui.state().agent.focus).toBe('chat');
    await ui.type('i');
    await ui.type(' a sentence');
    expect(ui.screen()).toContain('half a sentence');
  });
});

it('offers an installed AI CLI before anything else, and uses it on one key', async () => {
  const notReady = { code: 'not_found' as const, message: 'No model is configured.', offer: 'Gemini CLI' };
  const { ui, agent } = await openAgent({ ...EMPTY_AGENT, isLooking: false, notReady }, '');
  expect(ui.screen()).toMatch(/Gemini CLI is installed and can be the agent[\s\S]*No model is configured/);
  await ui.type('u');
  expect(agent.acts).toEqual([{ kind: 'use-offer' }]);
});

describe('jobs', () => {
  it('stops, runs again, saves', async () => {
    const { ui, agent } = await openAgent(testAgentView({ jobs: [testJob({ status: 'running' })] }));
    await ui.type('x');
    agent.set(testAgentView());
    await ui.type('R');
    agent.answer = ok({ words: 'Saved guide.md', begun: null });
    await ui.type('\u0013');
    expect(agent.acts).toEqual([
      { kind: 'cancel', job: 'j1' },
      { kind: 'rerun', job: 'j1' },
      { kind: 'save', session: 's1' },
    ]);
    expect(ui.screen()).toContain('Saved guide.md');
  });

  it('announces a question on other screens', async () => {
    const { ui, agent } = await openAgent(testAgentView({ jobs: [testJob({ status: 'running' })] }));
    await ui.type('1');
    agent.set(asking());
    expect(ui.screen()).toContain('The agent asks something: 3 shows it');
  });

  it('offers only useful keys in the footer', async () => {
    const { ui } = await openAgent(asking());
    expect(ui.rows().at(-1)).toContain('s skip');
    const { ui: idle } = await openAgent();
    expect(idle.rows().at(-1)).not.toMatch(/stop|skip/);
  });
});
