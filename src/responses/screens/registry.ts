/** The screen rules of each AI CLI. To add a CLI, add its file and one line here. */
import type { CliId } from '../../protocol/cli-id.ts';
import { aiderScreen } from './aider.ts';
import { claudeScreen } from './claude.ts';
import { codexScreen } from './codex.ts';
import { geminiScreen } from './gemini.ts';
import { genericScreen } from './generic.ts';
import { opencodeScreen } from './opencode.ts';
import { piScreen } from './pi.ts';
import type { ScreenRules } from './port.ts';
import { tourScreen } from './tour.ts';

const RULES: Readonly<Record<CliId, ScreenRules>> = {
  claude: claudeScreen,
  codex: codexScreen,
  gemini: geminiScreen,
  opencode: opencodeScreen,
  pi: piScreen,
  aider: aiderScreen,
  tour: tourScreen,
  generic: genericScreen,
};

export const screenRulesFor = (cli: CliId): ScreenRules => RULES[cli];
