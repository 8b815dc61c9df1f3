/** The zsh client beside zsh-autosuggestions and zsh-syntax-highlighting. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { endWithTest, PLUGINS, startZsh } from '../../../helpers/zsh-client.ts';

endWithTest();

describe('beside other plugins', () => {
  it.each(['before', 'after'] as const)(
    'zsh-autosuggestions and zsh-syntax-highlighting, both %s',
    async (when) => {
      const files = Object.values(PLUGINS);
      if (!files.every((file) => existsSync(file))) {
        console.warn('skipped: zsh-autosuggestions and zsh-syntax-highlighting are not both installed');
        return;
      }
      const { zsh } = await startZsh({ [when]: files.map((file) => `source ${file}`) });
      const highlights: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        await zsh.typeSlowly(`true ${round}`);
        await zsh.untilText(`(1/2) true ${round} --first`);
        highlights.push((await zsh.probe()).highlights);
        zsh.type('\t');
        await zsh.untilState(({ buffer }) => buffer === `true ${round} --first`);
        await zsh.probe();
        // Ended by Enter: with these plugins zsh itself may lose a Ctrl-C that comes while it draws.
        zsh.type('\r');
        await zsh.until((screen) => screen.endsWith('#'));
      }
      // Two of the line, one of a suggestion, one of our row, in whatever order the plugins come and go: a highlight
      // that stays behind at each row would soon make them more.
      expect(Math.max(...highlights), highlights.join(' ')).toBeLessThanOrEqual(4);
      expect(zsh.everything).not.toMatch(/\(1\/2\)|maximum nested|error/i);
    },
  );

  const cases = [
    ['zsh-autosuggestions before', PLUGINS.suggestions, 'before'],
    ['zsh-autosuggestions after', PLUGINS.suggestions, 'after'],
    ['zsh-syntax-highlighting before', PLUGINS.highlighting, 'before'],
    ['zsh-syntax-highlighting after', PLUGINS.highlighting, 'after'],
  ] as const;
  it.each(cases)('%s', async (name, file, when) => {
    if (!existsSync(file)) {
      console.warn(
        `skipped: ${name}: ${file} is not installed (apt install ${path.basename(path.dirname(file))})`,
      );
      return;
    }
    const { zsh } = await startZsh({ [when]: [`source ${file}`] });
    zsh.type('ls -d /usr\r');
    await zsh.until((screen) => /^\/usr\n#$/m.test(screen));
    await zsh.typeSlowly('ls -d');
    await zsh.untilText('(1/2) ls -d --first');
    if (name.includes('suggestions')) await zsh.untilText('# ls -d /usr');
    else
      expect(
        zsh.colourAt(
          zsh.rows.findIndex((row) => row.startsWith('# ls -d')),
          2,
        ),
      ).not.toBe(-1);
    if (name.includes('highlighting')) {
      const row = zsh.rows.findIndex((line) => line.startsWith('(1/2)'));
      expect(zsh.colourAt(row, (zsh.rows[row] ?? '').indexOf('apply'))).toBe(242);
    }
    // Right arrow takes the other plugin's suggestion, never our row.
    zsh.type('\u001b[C');
    const accepted = name.includes('suggestions') ? 'ls -d /usr' : 'ls -d';
    await zsh.untilState(({ buffer }) => buffer === accepted);
    await zsh.untilText(`(1/2) ${accepted} --first`);
    zsh.type('\t');
    await zsh.untilState(({ buffer }) => buffer === `${accepted} --first`);
    await zsh.until((screen) => screen.split('\n').includes(`# ${accepted} --first`), 'no stale suggestion');
    await zsh.untilText(`(1/2) ${accepted} --first --first`);
    await zsh.probe();
    zsh.type('\u0003');
    await zsh.until((screen) => screen.endsWith('#'));
    expect(zsh.everything).not.toMatch(/\(1\/2\)|maximum nested|error/i);
  });
});
