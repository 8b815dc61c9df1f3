/** Makes session lines as Claude Code writes them, for tests and measurements that need many or large ones. */

export interface ClaudeLinesOptions {
  /** Number of the first turn; prompts are `prompt N`, answers `answer N`. */
  readonly firstTurn: number;
  readonly turns: number;
  /** Length of the tool result in each turn. */
  readonly resultCharacters: number;
}

/** The lines of some turns in one chain: prompt, call, result, answer. The first turn of all has no parent. */
export function claudeLines({ firstTurn, turns, resultCharacters }: ClaudeLinesOptions): string {
  const lines: string[] = [];
  for (let turn = firstTurn; turn < firstTurn + turns; turn += 1) {
    const timestamp = new Date(1_767_323_045_000 + turn * 1_000).toISOString();
    const row = (type: string, uuid: string, parentUuid: string | null, message: object) =>
      lines.push(JSON.stringify({ parentUuid, isSidechain: false, type, message, uuid, timestamp }));
    const content = (part: object) => [part];
    row('user', `u${turn}`, turn === 0 ? null : `a${turn - 1}`, { role: 'user', content: `prompt ${turn}` });
    row('assistant', `c${turn}`, `u${turn}`, {
      id: `m${turn}`,
      role: 'assistant',
      stop_reason: 'tool_use',
      content: content({ type: 'tool_use', id: `t${turn}`, name: 'Read', input: {} }),
    });
    row('user', `r${turn}`, `c${turn}`, {
      role: 'user',
      content: content({
        type: 'tool_result',
        tool_use_id: `t${turn}`,
        content: 'x'.repeat(resultCharacters),
      }),
    });
    row('assistant', `a${turn}`, `r${turn}`, {
      id: `n${turn}`,
      role: 'assistant',
      stop_reason: 'end_turn',
      content: content({ type: 'text', text: `answer ${turn}` }),
    });
  }
  return `${lines.join('\n')}\n`;
}
