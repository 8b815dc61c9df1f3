import { afterEach, describe, expect, it } from 'vitest';
import { openScreen, type TestScreen } from '../../helpers/frames.ts';
import { fakeUi } from '../../helpers/ui-fakes.ts';

let screen: TestScreen | null = null;
afterEach(async () => {
  await screen?.close();
  screen = null;
});

describe('frames', () => {
  it('draws', async () => {
    screen = await openScreen(80, 24, fakeUi());
    console.log((await screen.text()).join('\n'));
    screen.type('\rjjj');
    console.log((await screen.styled()).join('\n'));
    await screen.resize(40, 12);
    console.log((await screen.text()).join('\n'));
    await screen.resize(120, 30);
    console.log((await screen.text()).join('\n'), await screen.cursor());
    expect(await screen.isAlternate()).toBe(true);
  });
});
