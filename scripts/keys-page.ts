/** The page `docs/keys.md`, generated from the key table so that they always agree. */

import { appKeymap, CONTEXT_TITLES } from '../src/ui/app/key-table.ts';
import { formatChord } from '../src/ui/kit/keys/key.ts';

/** Renders the documentation of all keys as Markdown. */
export function renderKeysPage(): string {
  const { bound } = appKeymap();
  const sections = Object.entries(CONTEXT_TITLES).map(([context, title]) => {
    const rows = bound
      .filter((binding) => binding.contexts.includes(context))
      .map((binding) => {
        const keys = binding.chords
          .map((chord) => `\`${formatChord(chord)}\``)
          .join(' ')
          .replaceAll('|', '\\|');
        return `| ${keys} | ${binding.help} | \`${binding.action}\` |`;
      });
    if (rows.length === 0) return '';
    return `## ${title}\n\n| Keys | What it does | Action |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Keys

Generated from the key table (\`src/ui/app/key-table.ts\`); do not edit by hand.

Every action can be put on other keys in your own configuration: the action on the left, a key or a list of
keys on the right. Keys of a chord are separated by a blank; an empty list takes the keys away. Two actions
on one key in the same place are reported at the start.

\`\`\`jsonc
{ "keys": { "response/pull": ["p", "Ctrl+X p"], "draft/send": "Ctrl+S" } }
\`\`\`

${[...sections.filter((section) => section !== ''), MOUSE].join('\n')}`;
}

const MOUSE = `## Mouse

Follows tmux: with \`set -g mouse on\` it works, otherwise the terminal keeps it for selecting text. \`"mouse": true\` or
\`false\` in the configuration settles it.

- a click marks what it hits; a second one opens it, as Enter does
- the wheel scrolls the pane below the pointer, whichever has the focus
- a drag selects lines of a response, of the draft or of a hunk
- tabs, and the keys of the footer, can be clicked

Nothing is sent, answered or confirmed by a click: that is for a key. While Shift is held, most terminals select
text all the same.
`;
