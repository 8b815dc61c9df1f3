import { expect, it } from 'vitest';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';

it.each([
  ['S', /S does nothing here\. s: Preview/],
  ['\u001b', /Esc does nothing here\. q: Back/],
  ['g!', /g! does nothing here; \? shows every key/],
  ['R', /R does nothing here\. r: /],
  ['\u001b[15~', /F5 does nothing here; \? shows every key/],
])('%j in the list names similar keys', async (keys, words) => {
  const ui = await driveUi(fakeUi(), { size: { columns: 120, rows: 30 } });
  await ui.type(keys);
  expect(ui.screen()).toMatch(words);
});

it('says nothing while text is being typed', async () => {
  const ui = await driveUi(fakeUi());
  await ui.type('oS\u001b[15~');
  expect(ui.state().toast).toBeNull();
});

it('/ in the help finds a key by its description', async () => {
  const ui = await driveUi(fakeUi(), { size: { columns: 100, rows: 30 } });
  await ui.type('?/code block');
  expect(ui.screen()).toMatch(/Pick a code block of the response to copy +b/);
});

it('moves to both ends by Home and End, < and >, and to another response while reading', async () => {
  const ui = await driveUi(fakeUi());
  const marked = () => ui.state().responses.turnId;
  await ui.type('>');
  const last = marked();
  await ui.type('<');
  expect(marked()).not.toBe(last);
  await ui.type('\u001b[F');
  expect(marked()).toBe(last);
  await ui.type('\r');
  await ui.type('K');
  expect([marked() === last, ui.state().responses.focus]).toEqual([false, 'reading']);
  await ui.type('J');
  expect(marked()).toBe(last);
});
