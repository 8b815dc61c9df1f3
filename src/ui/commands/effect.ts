/** What a key may ask of the world, as data. The controller runs it and answers with a message. */

export type Effect =
  | { readonly kind: 'copy'; readonly text: string; readonly what: string }
  | { readonly kind: 'edit-response'; readonly text: string; readonly line: number }
  | { readonly kind: 'edit-draft'; readonly text: string; readonly line: number }
  /** `lineIds` are the draft lines that go out with it. */
  | { readonly kind: 'send'; readonly text: string; readonly lineIds: readonly number[] }
  | { readonly kind: 'press-enter'; readonly entryId: string }
  | { readonly kind: 'answer'; readonly option: string; readonly dialog: string }
  | { readonly kind: 'select-pane'; readonly key: string }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'quit' };
