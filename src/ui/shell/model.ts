/** What the Shell screen's handlers see, and what they may request. */
import type { CommonFacts, CommonModel, CopyEffect, Handler, Handlers, Outcome } from '../kit/model.ts';
import type { Confirm, OverlayAction } from '../kit/overlay.ts';
import { type EffectContext, screenEnds } from '../kit/screen-ends.ts';
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

export const { done, say, sayFailure, track } = screenEnds<ShellModel, ShellFacts, ShellEffect>();
