/** The program that `completion-daemon.ts` runs: the daemon as the host starts it, worker thread included. */
import { loadConfig } from '../../src/app/config/load-config.ts';
import { createAskModel } from '../../src/app/shell/ask-model.ts';
import { modelSettings } from '../../src/completion/models/settings.ts';
import { startCompletion } from '../../src/completion/start.ts';
import { copanePaths } from '../../src/platform/paths.ts';

const started = await startCompletion({
  env: process.env,
  model: modelSettings(loadConfig(copanePaths(process.env).configFile, process.env).config, process.env),
  askModel: createAskModel(process.env).ask,
  onDefect: (where, message) => console.error(`defect in ${where}: ${message}`),
});
console.log(started.ok ? 'listening' : `refused: ${started.error.message}`);
if (!started.ok) process.exit(3);
process.on('SIGTERM', () => {
  void started.value.stop().then(() => process.exit(0));
});
