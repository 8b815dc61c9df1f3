/** Overlays: what they are, how they are drawn and moved in. Pure. */
import { type Row, span } from './row.ts';

/** Actions of menus and prompts, which each overlay handles in its own way. */
export type OverlayAction = 'menu/choose' | 'prompt/accept';

/** A question; the effects run after a yes. */
export interface Confirm<E> {
  readonly kind: 'confirm';
  readonly question: string;
  readonly effects: readonly E[];
  /** The same in other ways; a key goes on to the next of them. */
  readonly others?: readonly { readonly question: string; readonly effects: readonly E[] }[];
  /** The word for Enter; default: yes. */
  readonly enter?: 'yes' | 'no';
}

/** A line that is typed into. `sign` stands before it; null is that of a search. */
export interface Prompt<P> {
  readonly kind: 'prompt';
  readonly query: string;
  readonly sign: string | null;
  /** The purpose of the line. */
  readonly purpose: P;
}

/** How many rows or entries an overlay has, and how many fit. */
export interface Extent {
  readonly total: number;
  readonly page: number;
}

/** An overlay as it is drawn: a titled panel over the screen area. */
export interface OverlayView {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly remark: Row;
  /** It lies over the lower part of the screen where it is short: its subject stays in view, out of focus. */
  readonly isSheet: boolean;
  /** Its rows are entries to choose from, one row each. */
  readonly menu: { readonly total: number; readonly cursor: number } | null;
}

/** A panel without entries. */
export function panelView(title: string, rows: readonly Row[], remark: Row = []): OverlayView {
  return { title, rows, remark, isSheet: false, menu: null };
}

/** A panel of more rows than fit, from `top` on. */
export function scrolledPanel(title: string, rows: readonly Row[], top: number, height: number): OverlayView {
  const first = Math.max(0, Math.min(top, rows.length - height));
  const remark: Row =
    rows.length <= height ? [] : [span(`${Math.round(((first + height) / rows.length) * 100)} %`, 'dim')];
  return panelView(title, rows.slice(first, first + height), remark);
}

/** A menu; `total` entries of which those in view are `rows`. */
export function menuView(
  title: string,
  rows: readonly Row[],
  menu: NonNullable<OverlayView['menu']>,
): OverlayView {
  return { title, rows, remark: [], isSheet: true, menu };
}
