/** The draft port over the host. */
import { NO_PANE } from '../../protocol/limits.ts';
import type { DraftPort } from '../../ui/responses/port.ts';
import type { HostConnection } from '../client/host-connection.ts';
import { draftKeyOf, projectOf } from '../responses/ai-pane.ts';
import { DraftClient } from '../responses/draft-client.ts';
import type { LiveResponses } from '../responses/live-responses.ts';

/** The draft of the followed pane, or of the folder if there is no pane. */
export function createDraftPort(host: HostConnection, responses: LiveResponses, cwd: string): DraftPort {
  const drafts = new DraftClient(host);
  return {
    keyOf: () => {
      const listing = responses.selected;
      return listing === null ? { project: projectOf(cwd), pane: NO_PANE } : draftKeyOf(listing);
    },
    load: (key) => drafts.load(key),
    save: (key, draft, baseRevision) => drafts.save(key, draft, baseRevision),
    onExternalChange: (listener) => drafts.onExternalChange(listener),
  };
}
