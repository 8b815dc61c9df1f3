/** Edits between a pull and a send, in real Neovim: all of the notes are sent, and nothing of the response. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { until } from '../../helpers/until.ts';

const RESPONSE = [
  'The parser keeps an incomplete line until more comes.',
  '',
  'Its buffer grows without any bound at all.',
  'A flush at the end would emit the rest.',
  'Nothing else in the module touches it.',
];
const [TOP, CRLF, WHO] = ['on top of it all', 'what about CRLF?', 'who calls that one?'];

/** After the pull: 1 TOP · 2 parser · 3 CRLF · 4 blank · 5 buffer · 6 flush · 7 WHO · 8 nothing. */
const NOTES = [`2Go${CRLF}<Esc>`, `6Go${WHO}<Esc>`];

interface Edit {
  readonly name: string;
  readonly acts: readonly string[];
  readonly sent: readonly string[];
  /** Lines that need a question; none is chosen. */
  readonly asked?: readonly string[];
}

const NOTHING = 'Nothing will be sent: no note with text in it.';
const ALL = [TOP, CRLF, WHO];
const EDITS: readonly Edit[] = [
  { name: 'no edit', acts: [], sent: ALL },
  { name: 'O', acts: ['5GOan O note<Esc>'], sent: [TOP, CRLF, '', 'an O note', WHO] },
  { name: 'o', acts: ['5Goan o note<Esc>'], sent: [TOP, CRLF, 'an o note', WHO] },
  { name: 'A<CR>', acts: ['5GA<CR>after it<Esc>'], sent: [TOP, CRLF, 'after it', WHO] },
  { name: 'dd above a note', acts: ['2Gdd'], sent: ALL },
  { name: 'dd of all lines above a note', acts: ['4G3dd'], sent: ALL },
  { name: 'dd, u', acts: ['6Gdd', 'u'], sent: ALL },
  { name: 'ddp', acts: ['5Gddp'], sent: ALL },
  { name: 'ddp over a note', acts: ['2Gddp'], sent: ALL },
  { name: 'yyp', acts: ['5Gyyp'], sent: ALL, asked: [RESPONSE[2] ?? ''] },
  { name: 'J with a note', acts: ['6GJ'], sent: [TOP, CRLF], asked: [`${RESPONSE[3]} ${WHO}`] },
  { name: 'J of two response lines', acts: ['5GJ'], sent: ALL },
  {
    name: 'cc with own words',
    acts: ['5GccI see this another way<Esc>'],
    sent: [TOP, CRLF, '', 'I see this another way', WHO],
  },
  { name: 'i<CR> inside a line', acts: ['5G012li<CR><Esc>'], sent: ALL },
  { name: ':m down', acts: [':2m7'], sent: [TOP, CRLF, WHO] },
  { name: ':m of a note', acts: [':3m0'], sent: [CRLF, TOP, WHO] },
  {
    name: ':%s',
    acts: [':%s/flush/drain/'],
    sent: ALL,
    asked: ['A drain at the end would emit the rest.'],
  },
  { name: ':sort', acts: [':sort'], sent: [TOP, CRLF, WHO] },
  { name: ':g/x/d', acts: [':g/CRLF/d'], sent: [TOP, WHO] },
  { name: ':g/x/d of response lines', acts: [':g/e /d'], sent: [TOP, CRLF, WHO] },
  { name: ':%!cat', acts: [':%!cat'], sent: ALL },
  {
    name: 'an edited response line',
    acts: ['8GA I doubt it.<Esc>'],
    sent: ALL,
    asked: [`${RESPONSE[4]} I doubt it.`],
  },
  { name: 'x on a response line', acts: ['5G0x'], sent: ALL, asked: [(RESPONSE[2] ?? '').slice(1)] },
];

describe.each(NEOVIMS)('%s', (binary) => {
  let nvim: Neovim;
  beforeAll(async () => {
    nvim = await Neovim.start(binary);
  });
  afterAll(() => nvim.close());

  async function pulled(): Promise<void> {
    await nvim.fresh([TOP]);
    nvim.answer({ id: 'turn', response: RESPONSE.join('\n') });
    await nvim.keys('<Space>llmp');
    await nvim.untilSaid('Pulled 5 response lines');
    await nvim.act(...NOTES);
  }

  /** The lines that the preview asks about; empty if it was not opened. */
  async function askedOrSent(): Promise<readonly string[]> {
    const shown = await until('a send or a preview', async () => {
      if (nvim.sent().length > 0) return [];
      const rows = await nvim.lines();
      return rows.some((row) => /^(This will be sent|Nothing will be sent)/.test(row)) && rows;
    });
    return shown.flatMap((row) => /^\[ \] (?:changed|whose\? ) (.*)/.exec(row)?.[1] ?? []);
  }

  it.each(EDITS)('$name', async ({ acts, sent, asked = [] }) => {
    await pulled();
    await nvim.act(...acts);
    await nvim.keys('<Space>llms');
    expect(await askedOrSent()).toEqual(asked);
    if (asked.length > 0) await nvim.keys('<CR>');
    await until('the send', () => nvim.sent().length > 0);
    expect(nvim.sent()).toEqual([sent.join('\n')]);
  });

  it.each([':%!fmt -w 40', 'gggqG', ':%!fmt -w 200'])(
    '%s: every word of a note is sent or asked about, nothing else is sent',
    async (act) => {
      await pulled();
      await nvim.act(act);
      await nvim.keys('<Space>llms');
      const asked = await askedOrSent();
      const rows = await nvim.lines();
      const head = rows.findIndex((row) => row.startsWith('This will be sent'));
      const going = head < 0 ? [] : rows.slice(head + 1);
      const seen = [...asked, ...going].join(' ');
      for (const word of ALL.join(' ').split(' ')) expect(seen).toContain(word);
      for (const line of going) expect(RESPONSE.join(' ')).not.toContain(line);
      await nvim.keys(rows.includes(NOTHING) ? '<CR>q' : '<CR>');
      await nvim.untilSaid(rows.includes(NOTHING) ? 'Nothing was sent' : 'delivered');
      expect(nvim.sent()).toEqual(rows.includes(NOTHING) ? [] : [going.join('\n')]);
    },
  );

  it('sends a chosen line unchanged', async () => {
    await pulled();
    await nvim.act('6GJ');
    await nvim.keys('<Space>llms');
    await askedOrSent();
    await nvim.keys('<Space>');
    await until(
      'the choice',
      async () => (await nvim.lines()).filter((row) => row.includes(WHO)).length === 2,
    );
    await nvim.keys('<CR>');
    await until('the send', () => nvim.sent().length > 0);
    expect(nvim.sent()).toEqual([[TOP, CRLF, `${RESPONSE[3]} ${WHO}`].join('\n')]);
  });
});
