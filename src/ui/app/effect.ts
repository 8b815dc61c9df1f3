/** What a key may ask of the world, as data. The controller runs it and answers with a message. */
import type { AgentAct, RollbackRequest } from '../agent/port.ts';
import type { ReviewAct } from './ports.ts';

export type Effect =
  | { readonly kind: 'copy'; readonly text: string; readonly what: string }
  /** Into a new file of the project. */
  | { readonly kind: 'save'; readonly name: string; readonly text: string }
  /** A diff of an answer, to be decided on the Review screen. */
  | { readonly kind: 'offer-patch'; readonly patch: string }
  | { readonly kind: 'edit-response'; readonly text: string; readonly line: number }
  | { readonly kind: 'edit-draft'; readonly text: string; readonly line: number }
  /** `lineIds` are the draft lines that go out with it. */
  | { readonly kind: 'send'; readonly text: string; readonly lineIds: readonly number[] }
  | { readonly kind: 'press-enter'; readonly entryId: string }
  | { readonly kind: 'answer'; readonly option: string; readonly dialog: string }
  /** `hunks` show already what is expected of them. */
  | {
      readonly kind: 'review';
      readonly suggestion: string;
      readonly act: ReviewAct;
      readonly what: string;
      readonly hunks: readonly string[];
    }
  | {
      readonly kind: 'edit-hunk';
      readonly suggestion: string;
      readonly hunk: string;
      readonly as: 'text' | 'diff';
      readonly text: string;
      readonly line: number;
      readonly name: string;
    }
  /** The comment that is being written, in $EDITOR. */
  | { readonly kind: 'edit-comment'; readonly text: string }
  /** The file of a hunk, in $EDITOR; `offset` lines below the first that the hunk changes. */
  | {
      readonly kind: 'edit-file';
      readonly suggestion: string;
      readonly hunk: string;
      readonly offset: number;
    }
  | { readonly kind: 'mark-seen'; readonly hunks: readonly string[]; readonly isSeen: boolean }
  /** `isQuiet`: nobody asked for it, so nothing is said about it. */
  | { readonly kind: 'review-refresh'; readonly isQuiet: boolean }
  /** `text`: what was written, to be put back when it could not be sent. */
  | { readonly kind: 'agent'; readonly act: AgentAct; readonly what: string; readonly text?: string }
  | { readonly kind: 'agent-complete'; readonly prefix: string }
  /** The outline of a file, for the user. */
  | { readonly kind: 'agent-map'; readonly path: string; readonly text: string }
  /** The diff of what a job proposes, shown below an entry. */
  | { readonly kind: 'agent-diff'; readonly job: string; readonly below: string }
  | { readonly kind: 'agent-preview'; readonly to: RollbackRequest }
  | {
      readonly kind: 'agent-row';
      readonly of: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' };
    }
  | { readonly kind: 'shell-private'; readonly on: boolean }
  | { readonly kind: 'shell-forget'; readonly line: string }
  | { readonly kind: 'select-pane'; readonly key: string }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'quit' };
