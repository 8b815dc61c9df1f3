/** Overlays: their kinds, how they are drawn and scrolled. Pure. */
import { type Row, span } from './row.ts';

/** Menu and prompt actions, which each overlay handles itself. */
export type OverlayAction = 'menu/choose' | 'prompt/accept';

/** A question; the effects run after a yes. */
export interface Confirm<E> {
  readonly kind: 'confirm';
  readonly question: string;
  readonly effects: readonly E[];
  /** Alternatives to it, which a key cycles through. */
  readonly others?: readonly { readonly question: string; readonly effects: readonly E[] }[];
  /** What Enter means; default: yes. */
  readonly enter?: 'yes' | 'no';
}

/** A text prompt. `sign` goes before it; null: that of a search. */
export interface Prompt<P> {
  readonly kind: 'prompt';
  readonly query: string;
  readonly sign: string | null;
  /** What the prompt is for. */
  readonly purpose: P;
}

/** How many rows or entries an overlay has, and how many fit. */
export interface Extent {
  readonly total: number;
  readonly page: number;
}

/** An overlay to draw: a titled panel over the screen area. */
export interface OverlayView {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly remark: Row;
  /** If short, it covers only the lower part of the screen, so that its subject stays visible. */
  readonly isSheet: boolean;
  /** Its rows are entries to choose from, one row each. */
  readonly menu: { readonly total: number; readonly cursor: number } | null;
}

/** A panel without entries. */
export function panelView(title: string, rows: readonly Row[], remark: Row = []): OverlayView {
  return { title, rows, remark, isSheet: false, menu: null };
}

/** A panel with more rows than fit, from `top` on. */
export function scrolledPanel(title: string, rows: readonly Row[], top: number, height: number): OverlayView {
  const first = Math.max(0, Math.min(top, rows.length - height));
  const remark: Row =
    rows.length <= height ? [] : [span(`${Math.round(((first + height) / rows.length) * 100)} %`, 'dim')];
  return panelView(title, rows.slice(first, first + height), remark);
}

/** A menu with `total` entries; `rows` are those in view. */
export function menuView(
  title: string,
  rows: readonly Row[],
  menu: NonNullable<OverlayView['menu']>,
): OverlayView {
  return { title, rows, remark: [], isSheet: true, menu };
}
