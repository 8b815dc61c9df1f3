/**
 * A job by a real language model on this machine, if it has one: `copane model install`, and a GGUF file in the models'
 * folder. Nobody can predict such a model's words, so we only check that the job ends properly. Takes minutes on a
 * small machine.
 */
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelsDir, runtimeModule } from '../../src/completion/models/model-files.ts';
import { copanePaths } from '../../src/platform/paths.ts';
import { agentLimitsSchema } from '../../src/protocol/agent.ts';
import { runLoop } from '../helpers/agent-loop.ts';
import { projectFolder } from '../helpers/agent-tools.ts';

const { dataDir } = copanePaths(process.env);
const folder = modelsDir(dataDir);
const [agent_local_model = ''] = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.gguf'))
  : [];
const isHere = agent_local_model !== '' && existsSync(runtimeModule(dataDir));

let project: ReturnType<typeof projectFolder>;
beforeAll(() => {
  project = projectFolder({ 'notes/a.md': '# Old heading\n\nSome text.\n', 'notes/b.md': 'milk\neggs\n' });
});
afterAll(() => project.remove());

test.skipIf(!isHere)(
  'a real model finishes a job',
  async () => {
    const words: string[] = [];
    const { outcome, events } = await runLoop({
      root: project.root,
      models: { agent_local_model, agent_local_context_tokens: 4_000, agent_local_timeout_ms: 1_500_000 },
      setup: { dataDir },
      input: {
        mode: 'local',
        instruction: 'Which files are there? Use list_files.',
        limits: agentLimitsSchema.parse({ max_tool_calls_per_job: 2, max_schema_retries: 0 }),
      },
      deps: { delta: (text) => words.push(text), askUser: async () => 'yes' },
    });
    console.log(
      JSON.stringify({ outcome, trace: events.map(({ type, data }) => `${type} ${data.summary}`) }, null, 1),
    );
    expect(events[0]).toMatchObject({
      type: 'provider.selected',
      data: { provider: 'local', model: agent_local_model },
    });
    const said = events.filter((event) => event.type === 'message.completed');
    expect(said.length).toBeGreaterThan(0);
    for (const { data } of said) expect(data).toMatchObject({ model: agent_local_model });
    // A grammar constrains every answer: the model may be wrong, but its answer always parses.
    if (!outcome.ok) expect(outcome.error.code).toMatch(/^(invalid_edits|invalid_output|tool_budget)$/);
    expect(words.join('')).not.toContain('"tool_calls"');
  },
  1_800_000,
);
