import { expect, test } from 'vitest';
import { toolContext } from '../../../test/helpers/agent-tools.ts';
import { NO_USER_ANSWER } from '../../protocol/agent.ts';
import { clarifyOutputSchema, clarifyUser } from './clarify-user.ts';

test.each(['terse', NO_USER_ANSWER, ''])('passes the answer %j on', async (answer) => {
  const asked: string[] = [];
  const askUser = async (question: string) => {
    asked.push(question);
    return answer;
  };
  const outcome = await clarifyUser.run({ question: 'How?' }, toolContext('/', { askUser }));
  expect(asked).toEqual(['How?']);
  expect(outcome.ok && clarifyOutputSchema.parse(outcome.value.output)).toEqual({ answer });
  expect(outcome.ok && outcome.value.summary).toBe(answer === NO_USER_ANSWER ? 'skipped' : 'answered');
});

test.each(['', 'x'.repeat(2001)])('refuses a question of the wrong length', (question) => {
  expect(clarifyUser.input.safeParse({ question }).success).toBe(false);
});
