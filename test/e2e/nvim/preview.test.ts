/** The preview in real Neovim: it shows what is sent, asks where it must, and sends nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { until } from '../../helpers/until.ts';

const RESPONSE = 'The cause is a missing flush.';
const EDITED = `${RESPONSE} Sure?`;

describe.each(NEOVIMS)('%s', (binary) => {
  let nvim: Neovim;
  beforeAll(async () => {
    nvim = await Neovim.start(binary);
  });
  afterAll(() => nvim.close());

  const rowsWith = (words: string) =>
    until(`a preview with "${words}"`, async () => {
      const rows = await nvim.lines();
      return rows.some((row) => row.includes(words)) && rows;
    });

  /** A note, an edited response line, and the preview of both. */
  async function open(more = ''): Promise<void> {
    await nvim.fresh(['a note']);
    nvim.answer({ id: 'turn', response: RESPONSE });
    await nvim.keys('<Space>llmp');
    await nvim.untilSaid('Pulled 1 response line');
    await nvim.act(`GA Sure?${more}<Esc>`, 'Gounder it<Esc>');
    await nvim.keys('<Space>llms');
    await rowsWith('This will be sent');
  }

  it('names lines that may not be the human’s, and what is sent without them', async () => {
    await open();
    expect(await nvim.lines()).toEqual([
      '<CR> send   <Space> choose   c context   q cancel',
      '',
      'Not clearly yours, sent only when chosen: 1 line',
      `[ ] changed ${EDITED}`,
      '',
      'This will be sent: 2 notes, 15 bytes, ~4 tokens, context: bare',
      'a note',
      'under it',
    ]);
    await nvim.keys('q');
    await nvim.untilSaid('Nothing was sent');
    expect(nvim.sent()).toEqual([]);
    expect(await nvim.lines()).toEqual(['a note', EDITED, 'under it']);
  });

  it('shows the characters that nobody sees, and sends them as they are', async () => {
    await open('is\u3164Admin');
    expect(await nvim.lines()).toContain(`[ ] changed ${EDITED}is<3164>Admin`);
    await nvim.keys('<Space>');
    const rows = await rowsWith('3 notes');
    expect(rows.filter((row) => row.includes('is<3164>Admin'))).toHaveLength(2);
    await nvim.keys('<CR>');
    await nvim.untilSaid('delivered');
    expect(nvim.sent().join()).toContain(`${EDITED}is\u3164Admin`);
  });

  it('sends the chosen lines in the chosen context', async () => {
    await open();
    await nvim.keys('c');
    await rowsWith(`> ${RESPONSE}`);
    await nvim.keys('<Space>');
    await rowsWith('3 notes');
    await nvim.keys('<CR>');
    await nvim.untilSaid('delivered');
    expect(nvim.sent()).toHaveLength(1);
    expect(nvim.sent()[0]).toContain(EDITED);
    expect(nvim.sent()[0]).toContain(`> ${RESPONSE}\nunder it`);
  });

  it('sends nothing if the buffer changed behind it', async () => {
    await open();
    await nvim.lua(`for _, buf in ipairs(vim.api.nvim_list_bufs()) do
        if vim.bo[buf].buftype == '' and vim.api.nvim_buf_is_loaded(buf) then
          vim.api.nvim_buf_set_lines(buf, 0, 0, false, { 'from elsewhere' })
        end
      end
      return true`);
    await nvim.keys('<CR>');
    await nvim.untilSaid('The buffer has changed since');
    expect(nvim.sent()).toEqual([]);
  });

  it('is cancelled by leaving its window, and the buffer can be sent again', async () => {
    await open();
    await nvim.act(':wincmd w');
    await nvim.untilSaid('Nothing was sent');
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1);
    await nvim.keys('<Space>llms');
    await rowsWith('This will be sent');
    await nvim.keys('<CR>');
    await nvim.untilSaid('delivered');
    expect(nvim.sent()).toEqual(['a note\nunder it']);
  });

  it('comes before every send if configured', async () => {
    await nvim.fresh(['plain']);
    await nvim.act(':CopaneSend!');
    await rowsWith('This will be sent: 1 note');
    expect(nvim.sent()).toEqual([]);
    await nvim.keys('<CR>');
    await nvim.untilSaid('delivered');
    expect(nvim.sent()).toEqual(['plain']);
  });
});
