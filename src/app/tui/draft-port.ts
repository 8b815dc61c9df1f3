/** The draft port over the host. */
import type { DraftKey } from '../../protocol/draft.ts';
import { NO_PANE } from '../../protocol/limits.ts';
import type { DraftPort } from '../../ui/responses/port.ts';
import type { HostConnection } from '../client/host-connection.ts';
import { draftKeyOf, projectOf } from '../responses/ai-pane.ts';
import { DraftClient } from '../responses/draft-client.ts';
import type { LiveResponses } from '../responses/live-responses.ts';

/** The draft of the followed pane, also when that was closed, or of the folder if there was none. */
export function createDraftPort(host: HostConnection, responses: LiveResponses, cwd: string): DraftPort {
  const drafts = new DraftClient(host);
  let key: DraftKey = { project: projectOf(cwd), pane: NO_PANE };
  return {
    keyOf: () => {
      if (responses.selected !== null) key = draftKeyOf(responses.selected);
      return key;
    },
    load: (key) => drafts.load(key),
    save: (key, draft, baseRevision) => drafts.save(key, draft, baseRevision),
    onExternalChange: (listener) => drafts.onExternalChange(listener),
  };
}
