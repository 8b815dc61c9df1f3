/** The pure parts of the review in Lua, run in real Neovim: inputs and outputs. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FLAGS } from '../../../src/lib/hidden-text.ts';
import { sanitize } from '../../../src/lib/sanitize.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';

/** Ids of hunks, each with a status. */
const hunk = (id: string, status = 'pending', more: object = {}) => ({
  id,
  status,
  file: 'f',
  kind: 'text',
  diff: '@@ -1,2 +1,2 @@\n x\n-a\n+b\n',
  diffComplete: true,
  comments: [],
  warnings: [],
  needs: [],
  ...more,
});
const suggestion = (hunks: readonly object[], revision = 1) => ({
  id: 's',
  description: 'd',
  status: 'pending',
  target: '/t',
  files: ['f'],
  hunkCount: hunks.length,
  decidedCount: 0,
  revision,
  inPlace: false,
  hunks,
});

describe.each(NEOVIMS)('%s', (binary) => {
  let nvim: Neovim;
  beforeAll(async () => {
    nvim = await Neovim.start(binary);
  });
  afterAll(() => nvim.close());

  /** Runs Lua with `given` as a Lua value. */
  const run = <T>(code: string, given: unknown = null) =>
    nvim.lua<T>(`local given = vim.json.decode([==[${JSON.stringify(given)}]==], { luanil = { object = true, array = true } })
      local core, diff = require('copane.review.core'), require('copane.review.diff')
      ${code}`);

  it('names a file on one row, whatever its name holds', async () => {
    const file = '2 b\n1 a\u202etxt\t\u001b[2J';
    expect(
      await run("return require('copane.review.paint').name_of(given)", hunk('a', 'pending', { file })),
    ).toBe('2 b␊1 a<202E>txt\t␛[2J:2');
  });

  it('shows every code point as the host does', async () => {
    const found: number[] = [];
    // One answer for all would take longer than a busy machine allows.
    for (let from = 0; from <= 0x10ffff; from += 0x10000)
      found.push(
        ...(await run<number[]>(`local shown, found = require('copane.hidden').shown, {}
      was_changed = was_changed or false
      for code_point = ${Math.max(1, from)}, ${from + 0xffff} do
        local character = vim.fn.nr2char(code_point)
        local text = shown('a' .. character .. 'b')
        local is_changed = text ~= 'a' .. character .. 'b'
        if is_changed and code_point > 0x7f then
          assert(text == ('a<%04X>b'):format(code_point), text)
        end
        if is_changed ~= was_changed then
          table.insert(found, code_point)
        end
        was_changed = is_changed
      end
      return found`)),
      );
    const expected: number[] = [];
    let wasChanged = false;
    for (let codePoint = 1; codePoint <= 0x10ffff; codePoint += 1) {
      const text = `a${String.fromCodePoint(codePoint)}b`;
      const isChanged = sanitize(text) !== text;
      if (isChanged !== wasChanged) expected.push(codePoint);
      wasChanged = isChanged;
    }
    expect(found).toEqual(expected);
  });

  it('keeps joiners where the host keeps them', async () => {
    const words = [
      'می',
      'خ',
      'क्',
      'ष',
      'ന്',
      '👩',
      '🏽',
      '🚀',
      '❤',
      '1',
      'a',
      ' ',
      '«',
      '»',
      ':',
      '日',
      ...FLAGS,
    ];
    const joiners = [
      ...'\u200b\u200c\u200d\u00a0\u202f\u2009\u3000\ufe0e\ufe0f\u20e3\u180b\u{e0041}\u{1f3f4}\u0600\u001b\u007f',
    ];
    const line = fc
      .array(fc.constantFrom(...words, ...joiners), { maxLength: 12 })
      .map((parts) => parts.join(''));
    const lines = fc.sample(line, { seed: 41, numRuns: 5000 });
    const found = await run<string[]>("return vim.tbl_map(require('copane.hidden').shown, given)", lines);
    const wrong = lines.filter((each, at) => found[at] !== sanitize(each)).slice(0, 5);
    expect(wrong).toEqual([]);
  });

  it('reads lines from bytes, however they are split, and none over the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 8 }),
        fc.nat(6),
        async (texts, size) => {
          const lines = texts.map((text) => text.replace(/\n/g, ''));
          const all = `${lines.join('\n')}\nrest`;
          const found = await run(
            `local lines = require('copane.review.lines')
          local decoder, found = lines.new(), {}
          for at = 1, #given.all, given.size do
            vim.list_extend(found, lines.push(decoder, given.all:sub(at, at + given.size - 1)))
          end
          return found`,
            { all, size: size + 1 },
          );
          expect(found).toEqual([...lines]);
        },
      ),
      { numRuns: 25, seed: 7 },
    );
    const push = (text: string) =>
      run<unknown>(
        `local lines = require('copane.review.lines') return lines.push(lines.new(4), given) or 'too long'`,
        text,
      );
    expect([await push('1234\n'), await push('12345')]).toEqual([['1234'], 'too long']);
  });

  it('handles each event once, in order, and requests the state after a gap', async () => {
    const messages = [
      { type: 'event', seq: 4 },
      { type: 'subscribed', seq: 5 },
      { type: 'event', seq: 6 },
      { type: 'event', seq: 6 },
      { type: 'subscribed', seq: 6 },
      { type: 'event', seq: 5 },
      { type: 'event', seq: 7 },
      { type: 'gap', seq: 20 },
      { type: 'event', seq: 21 },
      { type: 'bye' },
    ];
    expect(
      await run(
        `local feed = require('copane.review.feed')
        local place = feed.new()
        return vim.tbl_map(function(message) return feed.take(place, message) or 'nothing' end, given)`,
        messages,
      ),
    ).toEqual([
      'nothing',
      'reload',
      'event',
      'nothing',
      'nothing',
      'nothing',
      'event',
      'reload',
      'event',
      'nothing',
    ]);
  });

  it('repeats requests on the next connection, under the same name if they must run only once', async () => {
    expect(
      await run(`local requests = require('copane.review.requests')
        local book, sent, ends = requests.new('me'), {}, {}
        local function ask(command)
          requests.ask(book, command, {}, 0, function(value) table.insert(ends, { command, value }) end,
            function(early) table.insert(ends, { 'early', early }) end)
        end
        local function open()
          requests.open(book, function(message) table.insert(sent, { message.command, message.once or 'no name' }) end, 0)
        end
        ask('review/show')
        open()
        ask('review/intend')
        requests.interrupt(book)
        open()
        requests.early(book, { id = 2, early = 'soon' })
        requests.answer(book, { id = 1, ok = true, value = 'shown' })
        requests.answer(book, { id = 1, ok = true, value = 'again' })
        requests.answer(book, { id = 2, ok = true, value = 'done' })
        return { sent, ends, #book.order }`),
    ).toEqual([
      [
        ['review/show', 'no name'],
        ['review/intend', 'me/2'],
        ['review/show', 'no name'],
        ['review/intend', 'me/2'],
      ],
      [
        ['early', 'soon'],
        ['review/show', 'shown'],
        ['review/intend', 'done'],
      ],
      0,
    ]);
  });

  it('refuses more requests than a host accepts', async () => {
    const refused = (count: number) =>
      run<number>(
        `local requests = require('copane.review.requests')
        local book, refused = requests.new('me'), 0
        for _ = 1, given do requests.ask(book, 'review/show', {}, 0, function() refused = refused + 1 end) end
        return refused`,
        count,
      );
    expect([await refused(200), await refused(201)]).toEqual([0, 1]);
  });

  it('encodes any bytes as base64', async () => {
    const texts = ['', 'a', 'ab', 'abc', 'äöü 漢字 🙂\n', '\u0001\u007f~'];
    expect(await run(`return vim.tbl_map(require('copane.review.base64').encode, given)`, texts)).toEqual(
      texts.map((text) => Buffer.from(text).toString('base64')),
    );
  });

  it('finds the socket as the program does', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ HOME: '/h' }, '/h/.local/state/copane/host.sock'],
      [{ HOME: '/h', XDG_STATE_HOME: '/s' }, '/s/copane/host.sock'],
      [{ HOME: '/h', XDG_STATE_HOME: 'relative' }, '/h/.local/state/copane/host.sock'],
      [{ HOME: '/h', XDG_RUNTIME_DIR: '/run/u' }, '/run/u/copane/host.sock'],
      [{ HOME: '/h', XDG_RUNTIME_DIR: '/run/u', COPANE_SOCKET: '/x.sock' }, '/x.sock'],
      [{ HOME: '/h', COPANE_SOCKET: '' }, '/h/.local/state/copane/host.sock'],
      [{ HOME: `/${'h'.repeat(100)}`, TMPDIR: '/t/' }, '/t/copane-7/host.sock'],
    ];
    const found = await run(
      `return vim.tbl_map(function(env) return require('copane.review.place').socket(env, 7) end, given)`,
      cases.map(([env]) => env),
    );
    expect(found).toEqual(cases.map(([, socket]) => socket));
  });

  it('aligns both sides with nothing left out, and numbers the lines', async () => {
    const text = '@@ -3,4 +3,5 @@ f()\n a\n-b\n-c\n+B\n d\n+e\n+f\n\\ No newline at end of file\n';
    expect(
      await run(
        `local body = diff.parse(given)
        local function rows(paired)
          return vim.tbl_map(function(row) return { row.left or 0, row.right or 0 } end, diff.sides(body.lines, paired))
        end
        local added, removed = diff.count(body.lines)
        return { rows({}), rows({ { removed = 3, added = 4 } }), added, removed, body.lines[4].new, body.lines[3].old, body.lines[7].is_open }`,
        text,
      ),
    ).toEqual([
      [
        [1, 1],
        [2, 4],
        [3, 0],
        [5, 5],
        [0, 6],
        [0, 7],
      ],
      [
        [1, 1],
        [2, 0],
        [3, 4],
        [5, 5],
        [0, 6],
        [0, 7],
      ],
      3,
      2,
      4,
      5,
      true,
    ]);
  });

  it.each([
    ['a whole hunk', hunk('h'), null, 'x\nb\n'],
    ['a part: its changes alone', hunk('h', 'pending', { parent: 'p' }), null, 'b\n'],
    [
      'no line feed at the end',
      hunk('h', 'pending', { diff: '@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n' }),
      null,
      'b',
    ],
    ['CR LF', hunk('h', 'pending', { diff: '@@ -1,2 +1,2 @@\n x\r\n-a\r\n+b\r\n' }), null, 'x\r\nb\r\n'],
    ['a deletion', hunk('h', 'pending', { diff: '@@ -1 +0,0 @@\n-a\n' }), null, ''],
    ['a conflict: the merge', hunk('h', 'conflict'), { sides: { merged: '<<<\n' } }, '<<<\n'],
    [
      'a modified one: what was made of it',
      hunk('h', 'modified'),
      { modified: { result: 'mine', suggested: 'x\nb\n', isOwnRegion: true } },
      'mine',
    ],
    [
      'a modified one of which more was changed: what was suggested',
      hunk('h', 'modified'),
      { modified: { result: 'all of it', suggested: 'x\nb\n', isOwnRegion: false } },
      'x\nb\n',
    ],
    ['too long', hunk('h', 'pending', { diffComplete: false }), null, 'no'],
    ['no text', hunk('h', 'pending', { diff: '@@ -1 +1 @@\n-a\n+\ufffd\n' }), null, 'no'],
    ['no lines', hunk('h', 'pending', { diff: 'renamed', kind: 'rename' }), null, 'no'],
    ['a conflict not read yet', hunk('h', 'conflict'), null, 'no'],
  ])('offers %s for editing, and returns the same bytes', async (_, given, details, want) => {
    expect(
      await run(
        `local editable = require('copane.review.editable')
        local text, why = editable.of(given.hunk, 'text', given.details)
        return text and editable.text(text.lines, text) or (#why > 0 and 'no')`,
        { hunk: given, details: details ?? {} },
      ),
    ).toBe(want);
  });

  it.each([
    ['as it is', hunk('h'), '@@ -1,2 +1,2 @@\n x\n-a\n+b\n'],
    [
      'with its CR LF',
      hunk('h', 'pending', { diff: '@@ -1 +1 @@\n-a\r\n+b\r\n' }),
      '@@ -1 +1 @@\n-a\r\n+b\r\n',
    ],
    ['not, when it is cut', hunk('h', 'pending', { diffComplete: false }), 'no'],
    ['not, without lines', hunk('h', 'pending', { diff: 'renamed', kind: 'rename' }), 'no'],
  ])('offers the diff for editing %s', async (_, given, want) => {
    expect(
      await run(
        `local editable = require('copane.review.editable')
        local text, why = editable.of(given, 'diff', {})
        return text and editable.text(text.lines, text) or (#why > 0 and 'no')`,
        given,
      ),
    ).toBe(want);
  });

  it('numbers the lines of both sides of a conflict as the file does', async () => {
    expect(
      await run<string[]>(
        `local sides = { yours = 'y\\nz\\n', yoursLine = 9, base = 'a\\n', suggested = '' }
        local state = core.with(core.loaded(core.opened(core.initial(), 's'), given), { hunk = 'a' })
        local known = core.with(state, { known = { hunk = 'a', sides = sides } })
        return vim.tbl_map(function(row)
          return table.concat(vim.tbl_map(function(chunk) return chunk[1] end, row.chunks))
        end, require('copane.review.paint').inline(known))`,
        suggestion([hunk('a', 'conflict', { diff: '@@ -4 +3,0 @@\n-a\n' })]),
      ),
    ).toEqual([
      '── what stands there ──',
      ' 9  y',
      '10  z',
      '── what it expected ──',
      '4  a',
      '── what it suggests ──',
    ]);
  });

  it('paints the host’s messages, and keeps the mark at the place the reader moved to', async () => {
    expect(
      await run(
        `local state = core.follow_mark(core.loaded(core.opened(core.initial(), 's'), given), 'a')
        local gone = core.loaded(core.pick(state, 'x'), given)
        local painted = core.follow_mark(core.paint(state, { a = 'accepted' }), 'c')
        local picked = core.follow_mark(core.pick(state, 'b'), 'c')
        local waiting = core.follow_mark(state, 'new')
        return { state.hunk, core.marked(gone) == nil, painted.hunk, painted.suggestion.hunks[1].status, picked.hunk,
          waiting.hunk, waiting.wished, require('copane.review.stops').move(picked, -1).hunk, core.paint(state, {}) == state }`,
        suggestion([hunk('a'), hunk('b', 'rejected'), hunk('c')]),
      ),
    ).toEqual(['a', true, 'c', 'accepted', 'b', 'a', 'new', 'a', true]);
  });

  it('shows in the list what is new and what was seen', async () => {
    expect(
      await run(
        `local state = core.loaded(core.opened(core.initial(), 's'), given)
        state = core.viewed(core.viewed(state, { 'a', 'b' }, true), { 'a' }, false)
        return vim.tbl_map(function(row)
          return row.chunks[1][1] .. row.chunks[3][1]
        end, require('copane.review.paint').list(state))`,
        suggestion([hunk('a'), hunk('b', 'accepted'), hunk('c', 'conflict', { isNew: true })]),
      ),
    ).toEqual(['◌   +1 -1', '✓   +1 -1  ◉ seen', '!   +1 -1  new']);
  });

  it('recognizes outdated news of a suggestion, and learns of its end', async () => {
    expect(
      await run(
        `local state = core.listed(core.initial(), { given.new })
        local older = core.heard(state, given.old)
        local ended = core.heard(core.opened(state, 's'), vim.tbl_extend('force', given.new, { status = 'discarded', revision = 9 }))
        local _, is_stale = core.heard(core.loaded(core.opened(state, 's'), given.old), given.new)
        return { older.list[1].revision, #ended.list, ended.ended, is_stale, core.why_not(ended) }`,
        { old: suggestion([hunk('a')], 1), new: suggestion([hunk('a')], 2) },
      ),
    ).toEqual([2, 0, 'discarded', true, 'This suggestion is discarded']);
  });

  it('accepts the options of the original table, and reports wrong ones', async () => {
    const check = (given: unknown) =>
      run<string[]>(
        `local problems = {}
        require('copane.review.options').merge(given, problems)
        table.sort(problems)
        return problems`,
        given,
      );
    expect(
      await check({
        server: { host: 'localhost', port: 4097 },
        ui: { style: 'telescope', position: 'right', width: 0.4 },
        keymaps: {
          open_review: '<leader>sr',
          accept: 'a',
          reject: 'r',
          modify: 'm',
          next_hunk: 'n',
          prev_hunk: 'p',
          complete: '<CR>',
          discard: '<Esc>',
        },
        notifications: { on_ready: true, on_error: true, on_status: false },
      }),
    ).toEqual([]);
    expect(
      await check({
        server: { host: 'example.com', port: 0, path: 'x' },
        ui: { style: 'big', width: -1, position: 1 },
        keymaps: { accept: 1, jump: 'j' },
        global_keymaps: { accept: false, complete: '' },
        notifications: { on_ready: 'yes' },
        sounds: true,
      }),
    ).toEqual([
      'copane: Option "suggestion_review.global_keymaps.complete" must be a key, or false for none, not ""',
      'copane: Option "suggestion_review.keymaps.accept" must be a key, or false for none, not 1',
      'copane: Option "suggestion_review.keymaps.jump" does not exist',
      'copane: Option "suggestion_review.notifications.on_ready" must be true or false, not "yes"',
      'copane: Option "suggestion_review.server.host" must be this machine: the review comes over a socket of your own, not "example.com"',
      'copane: Option "suggestion_review.server.path" does not exist',
      'copane: Option "suggestion_review.server.port" must be a port, 1 to 65535, not 0',
      'copane: Option "suggestion_review.sounds" does not exist',
      'copane: Option "suggestion_review.ui.position" must be one of right, left, top, bottom, center, not 1',
      'copane: Option "suggestion_review.ui.style" must be one of floating, picker, inline, telescope, fzf-lua, not "big"',
      'copane: Option "suggestion_review.ui.width" must be a number above 0, not -1',
    ]);
  });

  it('frees a key that the user wants for something else', async () => {
    expect(
      await run(`local merged = require('copane.review.options').merge({ keymaps = { discard = '<Esc>' } }, {})
        return { merged.keymaps.discard, merged.keymaps.back }`),
    ).toEqual(['<Esc>', false]);
  });

  it('assigns a key given to two things to neither, and says so', async () => {
    expect(
      await run(`local problems = {}
        local merged = require('copane.review.options').merge({ keymaps = { accept = 'x', reject = 'x' } }, problems)
        return { merged.keymaps.accept, merged.keymaps.reject, problems }`),
    ).toEqual([
      false,
      false,
      [
        'copane: Option "suggestion_review.keymaps.reject" has the key x, and so has "accept"; it does neither',
      ],
    ]);
  });

  it.each([
    ['5', 'copane: setup() takes a table of options, not 5'],
    ['{ cmd = {} }', 'copane: Option "cmd" must be a string, or a list of strings, not {}'],
    ["{ cmd = { 'a', 5 } }", 'copane: Option "cmd" must be a string, or a list of strings, not { "a", 5 }'],
    ['{ timeout_ms = -5 }', 'copane: Option "timeout_ms" must be a number of milliseconds above 0, not -5'],
    ["{ source = 'sreen' }", 'copane: Option "source" must be one of auto, transcript, screen, not "sreen"'],
    ["{ split = '' }", 'copane: Option "split" must be a string that is not empty, not ""'],
    ["{ keys = 'x' }", 'copane: Option "keys" must be a table, not "x"'],
    ["{ keys = { sent = 'x' } }", 'copane: There is no key "sent"'],
    ["{ sorce = 'x' }", 'copane: There is no option "sorce"'],
    ['{ suggestion_review = { ui = 5 } }', 'copane: Option "suggestion_review.ui" must be a table, not 5'],
  ])('setup(%s): reports what is wrong, and accepts the rest', async (options, problem) => {
    expect(
      await run(`local wrong = ${options}
        local config, told = require('copane.config'), {}
        local before, given = config.get(), type(wrong) == 'table' and vim.tbl_extend('force', { pane = '%9' }, wrong) or wrong
        local notify = vim.notify
        vim.notify = function(text) table.insert(told, text) end
        require('copane').setup(given)
        vim.notify = notify
        local taken = { config.get().pane or 'none', config.get().timeout_ms }
        config.set({ cmd = before.cmd })
        return { told, taken }`),
    ).toEqual([[problem], [options === '5' ? 'none' : '%9', 120_000]]);
  });

  it.each([
    [['one two three'], 7, ['one two', 'three']],
    [['one  ', 'two'], 4, ['one', 'two']],
    [['漢字漢字'], 5, ['漢字', '漢字']],
    [['a verylongword'], 5, ['a', 'veryl', 'ongwo', 'rd']],
    [['x', '!  a b', '!  c d'], 6, ['x  a b', 'c d']],
    [['x'], 0, ['x']],
    [[], 5, ['']],
  ])('breaks %j into rows of %i columns', async (chunks, width, want) => {
    expect(
      await run(
        `local row = { chunks = vim.tbl_map(function(text)
          return { (text:gsub('^!', '')), is_whole = text:sub(1, 1) == '!' }
        end, given.chunks) }
        return vim.tbl_map(function(each)
          return table.concat(vim.tbl_map(function(chunk) return chunk[1] end, each.chunks))
        end, require('copane.wrap').rows({ row }, given.width))`,
        { chunks, width },
      ),
    ).toEqual(want);
  });

  it.each([
    ['right', 0.4, [0, 72, 48, 40]],
    ['left', 60, [0, 0, 60, 40]],
    ['top', 0.5, [0, 0, 120, 20]],
    ['bottom', 12, [28, 0, 120, 12]],
    ['center', 0.5, [4, 30, 60, 32]],
    ['right', 9, [0, 80, 40, 40]],
    ['right', 999, [0, 0, 120, 40]],
  ])('uses its part of the screen: %s %s', async (position, width, want) => {
    expect(
      await run(
        `local rect = require('copane.review.draw').outer(given, 120, 40)
        return { rect.row, rect.col, rect.width, rect.height }`,
        { position, width },
      ),
    ).toEqual(want);
  });
});
