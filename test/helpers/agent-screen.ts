/** Opens screen 3 and types a test's keys on it. */
import type { AgentView } from '../../src/ui/agent/port.ts';
import { fakeAgent, testAgentView } from './agent-fakes.ts';
import { driveUi } from './ui-driver.ts';
import { fakeUi } from './ui-fakes.ts';

/** Opens the newest session, or types `keys` on the list of sessions. */
export async function openAgent(view: AgentView = testAgentView(), keys = '\r', agent = fakeAgent(view)) {
  const ui = await driveUi(fakeUi({ agent }));
  await ui.type('3');
  for (const key of keys) await ui.type(key);
  return { ui, agent };
}
