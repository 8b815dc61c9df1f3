/** An answer to a question on a pane's screen, typed with real keys. */
import { afterEach, expect, it } from 'vitest';
import { answerDialog } from '../../../src/app/responses/answer-dialog.ts';
import { screenRulesFor } from '../../../src/responses/screens/registry.ts';
import { viewPane } from '../../../src/tmux/capture.ts';
import { eventually, must, SendBench } from '../../helpers/tmux-sender.ts';

let bench: SendBench | null = null;

afterEach(async () => {
  await bench?.close();
  bench = null;
});

const ASK = String.raw`printf ' Trust this folder?\n\n ❯ 1. No, exit\n   2. Yes\n\n Esc to cancel\n'`;

it('is given when the program ends with it, and leaves the question on the screen', async () => {
  const b = new SendBench();
  bench = b;
  await b.startProgram(['sh', '-c', 'echo ready; exec sleep 600'], 'ready');
  await b.must('set-option', '-g', 'remain-on-exit', 'on');
  const paneId = await b.must('new-window', '-P', '-F', '#{pane_id}', `${ASK}; read answer; exit 1`);
  const look = async () => must(await viewPane(b.tmux, paneId));
  const choiceNow = async () => screenRulesFor('claude').read((await look()).screen).choice;
  const seen = await eventually('the question', choiceNow, (choice) => choice?.options.length === 2);
  if (seen === null) throw new Error('no question');
  const listing = { facts: (await look()).facts, cli: 'claude', cliPid: null, foreground: null } as const;
  const answered = await answerDialog(b.tmux, listing, { seen, option: 0, words: null, since: 0 });
  expect(answered).toEqual({ ok: true, value: undefined });
  expect((await look()).facts.dead).toBe(true);
});
