/** The menu for a question that offers answers, such as a request for permission. */
import type { MenuRow } from '../kit/menu.ts';
import { foreign } from '../kit/row.ts';
import { entryId } from './entries.ts';
import { type AgentFacts, type AgentModel, type AgentOutcome, type AgentOverlay, done } from './model.ts';
import { askingJob } from './state.ts';
import { answering, startWriting } from './write-commands.ts';

type AnswerMenu = Extract<AgentOverlay, { kind: 'agent-answer' }>;

/** Opens it on the waiting question; a question without answers to choose from is answered by typing. */
export function openAnswers(state: AgentModel, facts: AgentFacts, entry: string): AgentOutcome {
  const job = askingJob(facts.agent);
  const isOpen = job !== null && entry === entryId(job, job.question.question_id);
  if (!isOpen || job.question.options.length === 0) return startWriting(state, facts);
  const { question_id: question } = job.question;
  return done({ ...state, overlay: { kind: 'agent-answer', job: job.id, question, cursor: 0 } });
}

export function answerRows(menu: AnswerMenu, facts: AgentFacts): readonly MenuRow[] {
  return optionsOf(menu, facts).map((words) => ({ left: [foreign(words)], right: [] }));
}

/** Sends the marked answer. */
export function chooseAnswer(state: AgentModel, facts: AgentFacts, menu: AnswerMenu): AgentOutcome {
  const closed: AgentModel = { ...state, overlay: null };
  const words = optionsOf(menu, facts)[menu.cursor];
  return words === undefined ? done(closed) : done(closed, answering(menu.job, menu.question, words));
}

/** None if it was answered elsewhere. */
function optionsOf({ question }: AnswerMenu, facts: AgentFacts): readonly string[] {
  const asked = askingJob(facts.agent)?.question;
  return asked?.question_id === question ? asked.options : [];
}
