/** Drives the surface without drawing: keys in, planned rows out. For tests of behaviour, not of pictures. */
import { Controller } from '../../src/ui/app/controller.ts';
import { composeFrame, planFrame } from '../../src/ui/app/frame.ts';
import { appKeymap } from '../../src/ui/app/key-table.ts';
import { Decoder } from '../../src/ui/kit/keys/decoder.ts';
import type { KeyOverrides } from '../../src/ui/kit/keys/keymap.ts';
import { type Row, rowPlainText, type Size } from '../../src/ui/kit/row.ts';
import { createTheme, type Theme } from '../../src/ui/kit/theme/theme.ts';
import type { FakeUi } from './ui-fakes.ts';

export interface UiDriver {
  readonly controller: Controller;
  /** Types bytes as one chunk, then lets everything that was started settle. */
  readonly type: (bytes: string) => Promise<void>;
  /** The rows as text. */
  readonly rows: () => string[];
  readonly screen: () => string;
  /** The first row that contains this text, as painted. */
  readonly spans: (text: string) => Row;
  readonly state: () => ReturnType<Controller['model']['get']>['state'];
  readonly settle: () => Promise<void>;
  readonly events: string[];
}

export interface UiDriverOptions {
  readonly size?: Size;
  readonly theme?: Theme;
  readonly keys?: KeyOverrides;
}

const THEME = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });

/** Starts the controller on fakes. */
export async function driveUi(fake: Pick<FakeUi, 'ports'>, options: UiDriverOptions = {}): Promise<UiDriver> {
  const events: string[] = [];
  const controller = new Controller({
    ports: fake.ports,
    keymap: appKeymap(options.keys),
    size: options.size ?? { columns: 80, rows: 24 },
    host: {
      quit: () => void events.push('quit'),
      redraw: () => void events.push('redraw'),
      handOver: async (run) => {
        events.push('hand over');
        const result = await run();
        events.push('take back');
        return result;
      },
    },
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  controller.start();
  await settle();
  const decoder = new Decoder();
  const plan = () => {
    const { state, facts } = controller.model.get();
    const theme = options.theme ?? THEME;
    return composeFrame(planFrame(state, facts, theme), theme);
  };
  const rows = () => plan().map((row) => rowPlainText(row).trimEnd());
  return {
    controller,
    type: async (bytes) => {
      controller.onKeys([...decoder.push(bytes), ...decoder.flush()]);
      await settle();
    },
    rows,
    spans: (text) => plan().find((row) => rowPlainText(row).includes(text)) ?? [],
    screen: () => rows().join('\n'),
    state: () => controller.model.get().state,
    settle,
    events,
  };
}
