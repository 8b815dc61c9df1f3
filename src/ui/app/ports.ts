/** What the surface needs from the world: a port for each screen, and what stands beside them. */
import type { Timers } from '../../lib/scheduler.ts';
import type { AgentPort } from '../agent/port.ts';
import type { SystemPort } from '../kit/ports.ts';
import type { DraftPort, ResponsesPort } from '../responses/port.ts';
import type { ColorPort, ReviewPort } from '../review/port.ts';
import type { ShellPort } from '../shell/port.ts';

/** Notices beside the screens. A new object for every change. */
export interface NoticeView {
  /** The suggestion server's port is open without tokens. */
  readonly openToAll: boolean;
  /** Lasting problems: a port that is taken, a log that cannot be written. */
  readonly notices: readonly string[];
  /** The last progress message of an author; null when it is not to be shown. */
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
  /** Absent where there is no message. */
  readonly notices?: NoticePort;
  /** Absent where nothing can colour text. */
  readonly colors?: ColorPort;
  readonly clock: Timers;
  /** Resolves when the companion's own pane is on some screen; without it, it is taken to be. */
  readonly whenSeen?: () => Promise<void>;
}
