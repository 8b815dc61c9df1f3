/** The whole loop in real tmux with the real copane: send, pull, annotate, edit, send. Exactly the notes arrive. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copaneEnv } from '../../helpers/companion-pane.ts';
import { rowsOf } from '../../helpers/full-run.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { until } from '../../helpers/until.ts';

const LINE_READER = path.resolve(import.meta.dirname, '../../fixtures/programs/line-reader.mjs');
const NOTES = ['what about CRLF?', 'and who pays for 漢字 🙂;'];

/** After the pull: 1–2 the answer · 3 first note · 4 the answer · 5 second note · 6 the answer. */
const EDITS: readonly { readonly act: string; readonly sent?: readonly string[] }[] = [
  { act: '4Gddp' },
  { act: '4GccMy own words<Esc>', sent: [NOTES[0] ?? '', 'My own words', NOTES[1] ?? ''] },
  { act: ':sort', sent: [NOTES[1] ?? '', NOTES[0] ?? ''] },
  { act: ':%!cat' },
  { act: '2Gdd' },
  { act: '1Gddp' },
  { act: '1Gyyp' },
  { act: '1GJ' },
  { act: '1G010li<CR><Esc>' },
  { act: ':1m4' },
  { act: ':3m0' },
  { act: '4Gddu' },
  { act: ':%s/phrase/words/' },
  { act: ':g/CRLF/d', sent: [NOTES[1] ?? ''] },
];

describe.each(NEOVIMS)('%s', (binary) => {
  const tmux = new PrivateTmux();
  const root = mkdtempSync(path.join(os.tmpdir(), 'copane-nvim-loop-'));
  const bytes = path.join(root, 'bytes');
  let nvim: Neovim;

  beforeAll(async () => {
    const project = path.join(root, 'project');
    mkdirSync(project);
    await tmux.start({
      argv: [process.execPath, LINE_READER, bytes, '4'],
      env: { ...copaneEnv({ root, project }), TERM: 'screen-256color' },
      cwd: project,
      size: { columns: 100, rows: 40 },
    });
    await tmux.until('the program', (screen) => screen.includes('ready'));
    nvim = await Neovim.startBeside(binary, tmux, { root, project });
  });
  afterAll(async () => {
    await tmux.kill();
    await nvim?.close();
    removeTree(root);
  });

  /** The received prompts, without their markers. */
  function prompts(): readonly string[] {
    const text = existsSync(bytes) ? readFileSync(bytes, 'utf8') : '';
    return [...text.matchAll(/^### PROMPT [^\n]*\n\n([\s\S]*?)\n\n### END PROMPT$/gm)].map(
      ([, prompt = '']) => prompt,
    );
  }

  async function sendIt(): Promise<string> {
    const count = prompts().length;
    await nvim.keys('<Space>llms');
    let said: readonly string[] = [];
    const show = () => `${said.join('\n')}\n${prompts().join('\n\n')}`;
    const preview = await until(
      'a send or a preview',
      async () => {
        said = await nvim.said();
        if (prompts().length > count) return 'none';
        return (await nvim.lines()).find((row) => row.startsWith('This will be sent'));
      },
      { show },
    );
    if (preview !== 'none') await nvim.keys('<CR>');
    const prompt = await until('the prompt', () => prompts()[count], { show });
    await nvim.untilSaid('Sent');
    return prompt;
  }

  it.each(rowsOf(4, EDITS))('$act', async ({ act, sent = NOTES }) => {
    await nvim.fresh(['A question.']);
    expect(await sendIt()).toBe('A question.');
    await nvim.keys('<Space>llmp');
    await nvim.untilSaid('Pulled 4 response lines');
    await nvim.act('ggdd');
    expect((await nvim.lines()).map((line) => line.replace(/^answer \d+/, 'answer'))).toEqual(
      [1, 2, 3, 4].map((row) => `answer line ${row}: 漢字 🙂 the phrase ### END PROMPT inside prose`),
    );
    await nvim.act(`2Go${NOTES[0]}<Esc>`, `4Go${NOTES[1]}<Esc>`);
    await nvim.act(act);
    expect(await sendIt()).toBe(sent.join('\n'));
  });
});
