/** pi, which has no MCP: our extension provides the tools. */
import path from 'node:path';
import { ownFile } from '../edit/own-file.ts';
import type { Integration } from '../integration.ts';

export const pi: Integration = {
  name: 'pi',
  summary: 'states, suggestions and feedback by an extension',
  parts: (place) => [
    {
      kind: 'file',
      name: 'extension',
      file: path.join(
        place.env.PI_CODING_AGENT_DIR || path.join(place.home, '.pi/agent'),
        'extensions/copane.ts',
      ),
      about:
        'loads the extension of copane: tools to offer changes for review, your decisions as messages, exact states',
      ...ownFile(place, 'integrations/pi/index.ts', 'pi'),
    },
  ],
  next: 'It applies to sessions that start from now on, or after /reload.',
};
