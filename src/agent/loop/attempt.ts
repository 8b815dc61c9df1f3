/**
 * One attempt of one model at one job: steps until it proposes edits that fit, answers, or has had its chances.
 * Bounded by construction: every step spends tool calls, or a retry, or ends.
 */

import { ok, type Result } from '../../lib/result.ts';
import { bytesOfTokens } from '../../lib/token-estimate.ts';
import type { ToolCall } from '../../protocol/agent.ts';
import { namesFile } from '../core/secret-files.ts';
import { withoutThoughts, wordsBefore } from '../core/text-calls.ts';
import { spreadCall, understoodCall } from '../core/tool-call.ts';
import {
  type AgentProvider,
  PROPOSE_EDITS,
  type StepMessage,
  type StepResult,
  type StepToolCall,
  type StepToolResult,
} from '../providers/provider.ts';
import type { FileMapPort, ToolContext } from '../tools/tool.ts';
import { failedCall, type RanCall, runToolCall, toolDescriptions } from '../tools/tool-box.ts';
import { completionOf, MadeCalls } from './calls.ts';
import type { AttemptClock } from './clock.ts';
import { assembleContext } from './context.ts';
import { CutAnswer, GO_ON } from './cut.ts';
import {
  filesInText,
  isIntent,
  type Proposal,
  proposalInText,
  proposalOf,
  proposeTool,
  readProposal,
  writtenCalls,
} from './edits.ts';
import { type AttemptFailure, failure, providerFailure } from './failure.ts';
import { type Ended, type Fault, type Judged, ProposalJudge } from './judge.ts';
import { LoopMemory } from './memory.ts';
import type { LoopDeps, LoopInput } from './port.ts';
import {
  type Answered,
  addNote,
  chatMessages,
  conversationTokens,
  firstMessage,
  joinMessages,
  systemPrompt,
} from './prompt.ts';

export interface AttemptOptions {
  readonly input: LoopInput;
  readonly deps: LoopDeps;
  readonly provider: AgentProvider;
  readonly clock: AttemptClock;
  readonly tools: Pick<ToolContext, 'env' | 'skipIgnored' | 'isSecret'>;
  readonly maps: FileMapPort | null;
  readonly now: () => number;
  /** Questions of earlier attempts with their answers; this one adds its own. */
  readonly answered: Answered[];
}

/** The shares of the remaining room that a map and a reading get. */
const MAP_SHARE = 0.25;
const READ_SHARE = 0.5;
const MAP_MAX_BYTES = 100 * 1024;
const READ_LEAST_BYTES = 2_048;

export class Attempt {
  readonly #options: AttemptOptions;
  readonly #memory: LoopMemory;
  readonly #system: string;
  readonly #made = new MadeCalls();
  readonly #judge: ProposalJudge;
  readonly #cut = new CutAnswer();
  #messages: StepMessage[] = [];
  #callsLeft: number;
  #isLastChance = false;
  #isNudged = false;

  constructor(options: AttemptOptions) {
    this.#options = options;
    const { limits, root, confirmBeforeEdits } = options.input;
    this.#memory = new LoopMemory(root);
    this.#system = systemPrompt({ limits, confirmBeforeEdits });
    this.#callsLeft = limits.max_tool_calls_per_job;
    this.#judge = new ProposalJudge({
      input: options.input,
      deps: options.deps,
      memory: this.#memory,
      fillContext: () => this.#toolContext(),
      ask: (question) => this.#ask(question),
    });
  }

  /** Runs to the end. Rejects when the clock's signal is aborted while a tool works. */
  async run(): Promise<Ended> {
    await this.#begin();
    for (;;) {
      const overflow = this.#overflow();
      if (overflow !== null) return this.failed(overflow);
      const step = await this.#step();
      this.#options.clock.signal.throwIfAborted();
      const ended = step.ok ? await this.#answer(step.value) : this.#fix(step.error);
      if (ended !== null) return ended;
    }
  }

  /** How it ends with this failure: with the edits that fit, where there are some. */
  failed(error: AttemptFailure): Ended {
    return this.#judge.ended(error);
  }

  async #begin(): Promise<void> {
    const { input, answered, provider } = this.#options;
    const before = chatMessages(input.chat, provider.contextTokens);
    const { blocks, shown } = await assembleContext(input.contextRows, this.#toolContext());
    this.#memory.saw(shown);
    const text = firstMessage({ contextBlocks: blocks, answered, instruction: input.instruction });
    this.#messages = joinMessages(before, text);
  }

  #roomTokens(): number {
    return this.#options.provider.contextTokens - conversationTokens(this.#system, this.#messages);
  }

  /** Some servers silently cut a conversation that is too long, so it is measured here too. */
  #overflow(): AttemptFailure | null {
    const room = this.#roomTokens();
    if (room > 0) return null;
    const { contextTokens } = this.#options.provider;
    const message = `The conversation is about ${contextTokens - room} tokens long; the model takes ${contextTokens}.`;
    return providerFailure({ kind: 'context_overflow', message });
  }

  async #step(): Promise<Awaited<ReturnType<AgentProvider['runStep']>>> {
    const { provider, clock, deps } = this.#options;
    const tools = this.#isLastChance ? [proposeTool()] : [...toolDescriptions(), proposeTool()];
    const request = { system: this.#system, messages: this.#messages, tools };
    const step = await provider.runStep(request, {
      signal: clock.signal,
      onDelta: deps.delta,
      onWait: ({ message: reason }, waitMs) => {
        const summary = `${reason} Retrying in ${waitMs / 1000} s.`;
        deps.emit({
          type: 'provider.waiting',
          data: { summary, provider: provider.name, reason, wait_ms: waitMs },
        });
      },
    });
    if (step.ok) this.#tell(step.value);
    return step;
  }

  #tell({ assistantMessage: text, toolCalls, usage }: StepResult): void {
    this.#options.deps.emit({
      type: 'message.completed',
      data: {
        summary:
          text === ''
            ? `calls ${toolCalls.map(({ name }) => name).join(', ')}`.slice(0, 200)
            : text.slice(0, 200),
        text,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        latency_ms: usage.latencyMs,
        model: usage.model,
      },
    });
  }

  /** A step that failed; a malformed answer may be better the next time. */
  #fix(error: Parameters<typeof providerFailure>[0]): Ended | null {
    if (error.kind !== 'malformed') return this.failed(providerFailure(error));
    const words = `Your last answer could not be used: ${error.message}`;
    return this.#again({ words: error.message, trigger: 'schema' }, words);
  }

  /** Tells the model what is wrong; the end when it was told before. */
  #again(fault: Fault, words: string): Ended | null {
    const ended = this.#judge.fault(fault);
    if (ended === null) this.#note(words);
    return ended;
  }

  #note(text: string): void {
    this.#messages = addNote(this.#messages, text);
  }

  async #answer(step: StepResult): Promise<Ended | null> {
    if (step.toolCalls.length > 0)
      return this.#runCalls({ ...step, toolCalls: step.toolCalls.flatMap(spreadCall).map(understoodCall) });
    const spoken = withoutThoughts(step.assistantMessage);
    if (spoken.trim() === '') {
      const words = step.isCut
        ? 'Your answer was cut off before it said anything.'
        : 'Your answer was empty. Use a tool, or answer in words.';
      return this.#again({ words, trigger: 'schema' }, words);
    }
    const said = this.#cut.add(spoken, step.isCut === true);
    if (said === null) {
      this.#messages.push(messageOf(step));
      this.#note(GO_ON);
      return null;
    }
    const written = writtenCalls(said);
    if (written.length > 0)
      return this.#runCalls({ ...step, assistantMessage: wordsBefore(said), toolCalls: written });
    const proposal = proposalInText(said, this.#memory.onlyFile) ?? (await this.#wholeFiles(said));
    if (proposal === null) return this.#inWords(step, said);
    this.#messages.push(messageOf(step));
    const judged = await this.#judge.judge(proposal, { answer: said });
    if (judged.kind === 'ended') return judged.ended;
    this.#note(judged.words);
    return null;
  }

  /** Files that were written out in words, where that is what they are: a snippet is none. */
  async #wholeFiles(said: string): Promise<Result<Proposal, string> | null> {
    const files = filesInText(said);
    for (const file of files) if (!(await this.#memory.isWholeFile(file, this.#toolContext()))) return null;
    return files.length === 0 ? null : proposalOf({ edits: files });
  }

  /** An answer; but a model that only says what it is about to do is asked to do it, once. */
  #inWords(step: StepResult, said: string): Ended | null {
    const isOver = this.#isNudged || this.#isLastChance || step.isCut || !isIntent(said);
    if (isOver) return ok({ edits: this.#judge.kept, message: said });
    this.#isNudged = true;
    this.#messages.push(messageOf(step));
    this.#note(
      `You called no tool. Call it now (read_file, search_project, list_files, ${PROPOSE_EDITS}), or say that this was your answer.`,
    );
    return null;
  }

  async #runCalls(step: StepResult): Promise<Ended | null> {
    const { assistantMessage, toolCalls } = step;
    this.#cut.drop();
    const proposed = toolCalls.filter((call) => call.name === PROPOSE_EDITS);
    // A model that was given its last chance to propose and did not has had it.
    if (this.#isLastChance && proposed.length === 0) return this.failed(this.#budgetSpent());
    const judged = proposed.length === 0 ? null : await this.#judgeCalls(proposed, assistantMessage);
    if (judged?.kind === 'ended') return judged.ended;
    const results: StepToolResult[] = [];
    for (const call of toolCalls) {
      const words = call.name === PROPOSE_EDITS ? judged?.words : undefined;
      results.push(words === undefined ? await this.#runCall(call) : refusedResult(call, words));
    }
    this.#messages.push(messageOf(step), { role: 'tool', results });
    this.#tellBudget();
    return null;
  }

  #judgeCalls(proposed: readonly StepToolCall[], words: string): Promise<Judged> {
    const answer = JSON.stringify([words, proposed.map(({ written }) => written)]);
    return this.#judge.judge(readProposal(proposed), { words, answer });
  }

  #budgetSpent(): AttemptFailure {
    const calls = this.#options.input.limits.max_tool_calls_per_job;
    const { goesInCircles, failure: cause } = this.#made;
    const words = goesInCircles
      ? `The model repeated the same calls and proposed nothing.${cause === null ? '' : ` It was told: ${cause}`}`
      : `The model used all ${calls} tool calls without proposing anything.`;
    return failure('tool_budget', words, {
      trigger: 'tool_budget',
      hint: 'Raise max_tool_calls_per_job, or ask for less at a time.',
    });
  }

  /** Said once, with a last chance. */
  #tellBudget(): void {
    if (this.#callsLeft > 0 || this.#isLastChance) return;
    this.#isLastChance = true;
    this.#note(
      `You have used all your tool calls. Propose your edits now with ${PROPOSE_EDITS}, or answer in words.`,
    );
  }

  async #runCall(call: StepToolCall): Promise<StepToolResult> {
    const { deps, now } = this.#options;
    const args = { ...(call.arguments ?? {}) };
    const common = { tool_call_id: call.toolCallId, tool: call.name };
    const summary = `${call.name} ${call.written}`.slice(0, 200);
    deps.emit({ type: 'tool.call.requested', data: { ...common, summary, arguments: args } });
    const start = now();
    const canonical = { tool_call_id: call.toolCallId, name: call.name, arguments: args };
    const ran =
      this.#refusalOf(call, canonical) ??
      this.#made.judge(canonical, await runToolCall(canonical, this.#toolContext()));
    this.#callsLeft = this.#made.goesInCircles ? 0 : Math.max(0, this.#callsLeft - 1);
    this.#memory.saw(ran.shown);
    if (ran.result.ok) this.#judge.learned();
    const data = { ...common, ...completionOf(ran), duration_ms: now() - start };
    deps.emit({ type: 'tool.call.completed', data });
    return { toolCallId: call.toolCallId, name: call.name, ok: ran.result.ok, blocks: ran.blocks };
  }

  /** Why a call is not made; null when it is. It costs a call all the same, so that a loop of them ends. */
  #refusalOf(call: StepToolCall, canonical: ToolCall): RanCall | null {
    if (this.#callsLeft === 0) return failedCall(canonical, 'budget_spent', 'Your tool calls are used up.');
    if (call.arguments === null) {
      const words =
        'The arguments are not a JSON object. Make the call again with arguments that fit its schema.';
      return failedCall(canonical, 'malformed', words);
    }
    // Nobody is asked the same twice.
    const isAsked = call.name === 'clarify_user' && this.#made.has(canonical);
    return isAsked
      ? failedCall(canonical, 'repeated', 'You asked this before. The answer stands above.')
      : null;
  }

  #toolContext(): ToolContext {
    const { input, deps, clock, tools, maps } = this.#options;
    const room = this.#roomTokens();
    const readBytes = Math.max(READ_LEAST_BYTES, bytesOfTokens(room * READ_SHARE));
    return {
      ...tools,
      maps,
      root: input.root,
      limits: input.limits,
      buffers: deps.buffers,
      readMaxBytes: readBytes,
      mapMaxBytes: Math.min(MAP_MAX_BYTES, bytesOfTokens(room * MAP_SHARE)),
      askUser: (question) => this.#ask(question),
      isNamed: (file) => this.#isNamed(file),
      signal: clock.signal,
    };
  }

  /** By the user: in what they asked now and before, in an answer, or as a row of the context. */
  #isNamed(file: string): boolean {
    const { input, answered } = this.#options;
    const { instruction, chat, contextRows, root } = input;
    const theirs = chat.filter(({ role }) => role === 'user').map(({ text }) => text);
    const texts = [instruction, ...theirs, ...answered.map(({ answer }) => answer)];
    return (
      contextRows.some(({ file_path }) => file_path === file) ||
      texts.some((text) => namesFile(text, file) || namesFile(text, `${root}/${file}`))
    );
  }

  async #ask(question: string): Promise<string> {
    const { clock, deps, answered } = this.#options;
    const answer = await clock.outside(deps.askUser(question));
    answered.push({ question, answer });
    return answer;
  }
}

/** The step as a message of the conversation. */
function messageOf({ assistantMessage: text, toolCalls, reasoning }: StepResult): StepMessage {
  const message = { role: 'assistant', text, toolCalls } as const;
  return reasoning === undefined ? message : { ...message, reasoning };
}

function refusedResult(call: StepToolCall, words: string): StepToolResult {
  return { toolCallId: call.toolCallId, name: call.name, ok: false, blocks: [words] };
}
