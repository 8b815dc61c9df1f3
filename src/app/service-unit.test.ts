import { expect, test } from 'vitest';
import { serviceUnit } from './service-unit.ts';

const plain = { program: '/usr/local/bin/copane', node: '/usr/bin/node', tcp: false };
const odd = { program: '/home/a "b"/100%/$HOME/<copane>', node: '/n & m/node', tcp: true };

test('a systemd unit starts the host and keeps every path literal', () => {
  const unit = serviceUnit('systemd', plain);
  expect(unit).toContain('\nExecStart=/usr/local/bin/copane serve\n');
  expect(unit).toContain('\nEnvironment=COPANE_NODE=/usr/bin/node\n');
  const escaped = serviceUnit('systemd', odd);
  expect(escaped).toContain('\nExecStart="/home/a \\"b\\"/100%%/$HOME/<copane>" serve --tcp\n');
  expect(escaped).toContain('\nEnvironment="COPANE_NODE=/n & m/node"\n');
});

test('a launchd property list has one string per argument', () => {
  const list = serviceUnit('launchd', odd);
  expect([...list.matchAll(/ {4}<string>(.*)<\/string>/g)].map(([, word]) => word)).toEqual([
    '/home/a "b"/100%/$HOME/&lt;copane&gt;',
    'serve',
    '--tcp',
    '/n &amp; m/node',
  ]);
});
