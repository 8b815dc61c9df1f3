/** What the surface needs from the outside: a port per screen, and shared ones. */
import type { Timers } from '../../lib/scheduler.ts';
import type { AgentPort } from '../agent/port.ts';
import type { SystemPort } from '../kit/ports.ts';
import type { DraftPort, ResponsesPort } from '../responses/port.ts';
import type { ColorPort, ReviewPort } from '../review/port.ts';
import type { ShellPort } from '../shell/port.ts';

/** Notices beside the screens. Each change makes a new object. */
export interface NoticeView {
  /** The suggestion server's port is open without tokens. */
  readonly openToAll: boolean;
  /** Lasting problems: a port in use, a log that cannot be written. */
  readonly notices: readonly string[];
  /** An author's last progress message; null if it should not be shown. */
  readonly progress: AuthorWords | null;
  readonly error: AuthorWords | null;
}

interface AuthorWords {
  readonly author: string | null;
  readonly message: string;
}

export interface NoticePort {
  readonly getSnapshot: () => NoticeView;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface UiPorts {
  readonly agent: AgentPort;
  readonly responses: ResponsesPort;
  readonly draft: DraftPort;
  readonly review: ReviewPort;
  readonly shell: ShellPort;
  readonly system: SystemPort;
  /** Absent if there are no notices. */
  readonly notices?: NoticePort;
  /** Absent if nothing can colour text. */
  readonly colors?: ColorPort;
  readonly clock: Timers;
  /** Resolves when the companion's own pane is visible; omitted: it counts as visible. */
  readonly whenSeen?: () => Promise<void>;
}
