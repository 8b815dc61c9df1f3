/** Lua, by its lines and indentation, without a grammar. */
import { scanCode } from '../core/code-scanner.ts';
import { blockComment, blockString, lineString } from '../core/mask.ts';
import type { Language } from '../language.ts';

export const lua: Language = {
  name: 'Lua',
  extensions: ['lua'],
  interpreter: /\blua(jit)?[\d.]*\b/,
  scan: () =>
    scanCode({
      nesting: 'indent',
      lineComments: ['--'],
      fences: [
        blockComment('--[[', ']]'),
        blockComment('--[=[', ']=]'),
        blockString('[[', ']]', false),
        blockString('[=[', ']=]', false),
        lineString('"'),
        lineString("'"),
      ],
      doc: /^\s*--/,
      imports: /\brequire\s*\(?\s*['"](?<name>[^'"]+)/,
      declarations: [
        { kind: 'function', isContainer: true, pattern: /^\s*(?:local\s+)?function\s+(?<name>[\w.:]+)/ },
        {
          kind: 'function',
          isContainer: true,
          // Also a wrapped function: `local update = debounced(100, function()`.
          pattern: /^\s*(?:local\s+)?(?<name>[\w.[\]'"]+)\s*=(?!=).*\bfunction\s*\(/,
        },
        { kind: 'variable', isContainer: true, pattern: /^(?:local\s+)?(?<name>[A-Za-z_][\w.]*)\s*=(?!=)/ },
      ],
    }),
};
