import { expect, it } from 'vitest';
import { ok, type Result } from '../../../src/lib/result.ts';
import { openScreen } from '../../helpers/frames.ts';
import { fakeUi } from '../../helpers/ui-fakes.ts';

it('writes nothing over an editor when the terminal is resized, and redraws in the new size afterwards', async () => {
  const opened = Promise.withResolvers<void>();
  const edited = Promise.withResolvers<Result<string>>();
  const edit = () => {
    opened.resolve();
    return edited.promise;
  };
  const screen = await openScreen(80, 24, fakeUi({ edit }), { askBackground: true });
  try {
    screen.type('omine\u001b');
    await screen.settle();
    screen.type('E');
    await opened.promise;
    await screen.settle();
    const before = screen.written();
    await screen.resize(60, 20);
    expect(screen.written()).toBe(before);
    edited.resolve(ok('from the editor'));
    await expect.poll(async () => (await screen.text()).join('\n')).toContain('from the editor');
    expect(await screen.text()).toEqual(screen.planned());
    expect(screen.planned()).toHaveLength(20);
  } finally {
    await screen.close();
  }
});
