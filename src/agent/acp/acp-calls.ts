/** The tool calls of an external agent, put together from what it says of each at several times. */
import type * as acp from '@agentclientprotocol/sdk';
import type { AskedCall } from './permission.ts';

/** Calls that are remembered; the oldest go. */
const CALLS_MAX = 1_000;

const NOTHING_KNOWN: AskedCall = {
  kind: null,
  title: '',
  locations: [],
  input: undefined,
  texts: [],
  diffs: [],
};

/** A request for permission may name a call by its id alone: the rest was said before. */
export class AcpCalls {
  readonly #known = new Map<string, AskedCall>();

  /** The call after what is said of it now. */
  hear({ toolCallId, kind, title, locations, rawInput, content }: acp.ToolCallUpdate): AskedCall {
    const before = this.#known.get(toolCallId) ?? NOTHING_KNOWN;
    const call: AskedCall = {
      kind: kind ?? before.kind,
      title: title ?? before.title,
      locations: locations?.map((one) => one.path) ?? before.locations,
      input: rawInput ?? before.input,
      ...(content ? shownOf(content) : { texts: before.texts, diffs: before.diffs }),
    };
    this.#known.set(toolCallId, call);
    if (this.#known.size > CALLS_MAX) this.#forgetOldest();
    return call;
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function shownOf(content: readonly acp.ToolCallContent[]): Pick<AskedCall, 'texts' | 'diffs'> {
  const texts = content.flatMap((one) =>
    one.type === 'content' && one.content.type === 'text' ? [one.content.text] : [],
  );
  const diffs = content.flatMap((one) =>
    one.type === 'diff' ? [{ path: one.path, before: one.oldText ?? '', after: one.newText }] : [],
  );
  return { texts, diffs };
}
