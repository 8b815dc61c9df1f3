/** The file with which a service manager keeps a host running without a companion. Pure. */

export const SERVICE_MANAGERS = ['systemd', 'launchd'] as const;
export type ServiceManager = (typeof SERVICE_MANAGERS)[number];

export interface ServiceFacts {
  /** Absolute path of `bin/copane`. */
  readonly program: string;
  /** The Node to use: a service manager does not know the user's PATH. */
  readonly node: string;
  readonly tcp: boolean;
}

/** The text of the unit (systemd.service(5)) or property list (launchd.plist(5)). */
export function serviceUnit(manager: ServiceManager, facts: ServiceFacts): string {
  return manager === 'systemd' ? systemdUnit(facts) : launchdList(facts);
}

function systemdUnit({ program, node, tcp }: ServiceFacts): string {
  return `# ~/.config/systemd/user/copane.service, then: systemctl --user enable --now copane
[Unit]
Description=copane: completions, suggestions and state without a companion

[Service]
ExecStart=${serveWords(program, tcp).map(systemdWord).join(' ')}
Environment=${systemdWord(`COPANE_NODE=${node}`)}
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
`;
}

const serveWords = (program: string, tcp: boolean): string[] => [program, 'serve', ...(tcp ? ['--tcp'] : [])];

/** Quotes a word for systemd where needed. systemd expands no variables in the program path. */
function systemdWord(word: string): string {
  const escaped = word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%');
  return /^[\w./:=@+$-]+$/.test(word) ? word : `"${escaped}"`;
}

function launchdList({ program, node, tcp }: ServiceFacts): string {
  const words = serveWords(program, tcp);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/copane.plist, then: launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/copane.plist -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>copane</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${xmlText(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>COPANE_NODE</key>
    <string>${xmlText(node)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
</dict>
</plist>
`;
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
