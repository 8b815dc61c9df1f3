/** What the handlers of the Shell screen see, and what they may ask for. */
import {
  type CommonFacts,
  type CommonModel,
  type CopyEffect,
  type Handler,
  type Handlers,
  type Outcome,
  outcomes,
} from '../kit/model.ts';
import type { Confirm, OverlayAction } from '../kit/overlay.ts';
import { type EffectContext, tracking } from '../kit/track.ts';
import type { ShellAction } from './keys.ts';
import type { ShellPort, ShellView } from './port.ts';
import type { ShellState } from './state.ts';

export interface ShellModel extends CommonModel<ShellOverlay> {
  readonly shell: ShellState;
}

export type ShellOverlay = Confirm<ShellEffect>;

export interface ShellFacts extends CommonFacts<ShellAction> {
  readonly shell: ShellView;
}

export type ShellEffect =
  | CopyEffect
  | { readonly kind: 'shell-private'; readonly on: boolean }
  | { readonly kind: 'shell-forget'; readonly line: string };

export type ShellEffectContext = EffectContext<
  ShellModel,
  ShellFacts,
  ShellEffect,
  { readonly shell: ShellPort }
>;

export type ShellOutcome = Outcome<ShellModel, ShellEffect>;
export type ShellHandler = Handler<ShellModel, ShellFacts, ShellEffect>;
export type ShellHandlers = Handlers<ShellAction | OverlayAction, ShellModel, ShellFacts, ShellEffect>;

const says = outcomes<ShellModel, ShellEffect>();
export const { done, say } = says;
export const { track, sayFailure } = tracking<ShellModel, ShellFacts, ShellEffect>(says);
