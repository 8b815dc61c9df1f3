/** One attempt of one model at one job. Bounded: every step uses up tool calls or a retry, or ends. */

import { ok, type Result } from '../../lib/result.ts';
import { bytesOfTokens } from '../../lib/token-estimate.ts';
import type { ToolCall } from '../../protocol/agent.ts';
import { fencesInText, wordsAround } from '../core/fences.ts';
import { withoutThoughts } from '../core/text-calls.ts';
import { spreadCall } from '../core/tool-call.ts';
import {
  type AgentProvider,
  PROPOSE_EDITS,
  type StepMessage,
  type StepResult,
  type StepToolCall,
  type StepToolResult,
} from '../providers/provider.ts';
import type { FileMapPort, ToolContext } from '../tools/tool.ts';
import {
  failedCall,
  type RanCall,
  runToolCall,
  type ToolDescription,
  toolDescriptions,
} from '../tools/tool-box.ts';
import { budgetSpent, completionOf, MadeCalls } from './calls.ts';
import type { AttemptClock } from './clock.ts';
import { assembleContext } from './context.ts';
import { CutAnswer, GO_ON } from './cut.ts';
import {
  asksForChange,
  HOW_TO_CALL,
  HOW_TO_EDIT,
  isIntent,
  isUnusedEdit,
  meantCall,
  type Proposal,
  proposalInText,
  proposeTool,
  readProposal,
  writtenCalls,
} from './edits.ts';
import { type AttemptFailure, providerFailure } from './failure.ts';
import { type Ended, type Fault, type Judged, ProposalJudge } from './judge.ts';
import { LoopMemory } from './memory.ts';
import { isNamed, namedFiles } from './named-files.ts';
import {
  BLOCK_FORM,
  howToWrite,
  type PlainForm,
  plainFormFor,
  plainRequest,
  WHOLE_FORM,
} from './plain-form.ts';
import type { LoopDeps, LoopInput } from './port.ts';
import {
  type Answered,
  addNote,
  chatMessages,
  conversationTokens,
  firstMessage,
  joinMessages,
  messageOf,
  refusedResult,
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
  /** Questions of earlier attempts with their answers; this attempt adds its own. */
  readonly answered: Answered[];
}

/** The shares of the remaining context for a map and a reading. */
const MAP_SHARE = 0.25;
const READ_SHARE = 0.5;
const MAP_MAX_BYTES = 100 * 1024;
/** A model with a smaller context is assumed to rarely ask for the files that it needs. */
const SMALL_CONTEXT_TOKENS = 32_768;
/** A shorter text is no answer to a request for a change. */
const ANSWER_LEAST_CHARS = 20;
const UNCHANGED =
  '[No change was proposed: what the model wrote changes nothing, or fits nowhere in the files.]';
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
  /** The answer that caused the second request. */
  #before: string | null = null;
  /** The user named files, and they were shown. */
  #hasNamed = false;
  /** How the model should write its edits as text; null if it has tools. */
  #plain: PlainForm | null = null;

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

  /** Runs to the end. Rejects if the clock's signal is aborted while a tool works. */
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

  /** Ends with this failure, or with the edits that fit if there are any. */
  failed(error: AttemptFailure): Ended {
    return this.#judge.ended(error);
  }

  async #begin(): Promise<void> {
    const { input, answered, provider } = this.#options;
    const before = chatMessages(input.chat, provider.contextTokens);
    const { instruction } = input;
    const rows = await assembleContext(input.contextRows, this.#toolContext());
    this.#memory.saw(rows.shown);
    const inRows = new Set(rows.shown.map(({ filePath }) => filePath));
    const isSmall = provider.contextTokens <= SMALL_CONTEXT_TOKENS;
    const isPlain = isSmall && this.#asksForChange;
    const named = await namedFiles(instruction, this.#toolContext(), { isSmall, isPlain, shown: inRows });
    this.#memory.saw(named.shown);
    this.#hasNamed = named.shown.length > 0;
    this.#plain = isPlain && this.#hasNamed ? plainFormFor(named.texts) : null;
    const contextBlocks = [...rows.blocks, ...named.blocks];
    const text = firstMessage({ contextBlocks, answered, instruction });
    this.#messages = joinMessages(before, text);
  }

  #roomTokens(): number {
    return this.#options.provider.contextTokens - conversationTokens(this.#system, this.#messages);
  }

  /** Some servers silently truncate a conversation that is too long, so it is also measured here. */
  #overflow(): AttemptFailure | null {
    const room = this.#roomTokens();
    if (room > 0) return null;
    const { contextTokens } = this.#options.provider;
    const message = `The conversation is about ${contextTokens - room} tokens long; the model takes ${contextTokens}.`;
    return providerFailure({ kind: 'context_overflow', message });
  }

  async #step(): Promise<Awaited<ReturnType<AgentProvider['runStep']>>> {
    const { provider, clock, deps } = this.#options;
    const request =
      this.#plain === null
        ? { system: this.#system, messages: this.#messages, tools: this.#tools() }
        : plainRequest(this.#plain, this.#messages);
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

  #tools(): readonly ToolDescription[] {
    return this.#isLastChance ? [proposeTool()] : [...toolDescriptions(), proposeTool()];
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

  /** Handles a failed step; a malformed answer may be better next time. */
  #fix(error: Parameters<typeof providerFailure>[0]): Ended | null {
    if (error.kind !== 'malformed') return this.failed(providerFailure(error));
    const words = `Your last answer could not be used: ${error.message}`;
    return this.#again({ words: error.message, trigger: 'schema' }, words);
  }

  /** Tells the model the fault; ends if it was already told. */
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
      return this.#runCalls({ ...step, toolCalls: step.toolCalls.flatMap(spreadCall).map(meantCall) });
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
    const { calls: written, words } = writtenCalls(said);
    const isProposed = this.#plain !== null && written.length > 0 && written.every(isProposal);
    if (written.length > 0 && !isProposed)
      return this.#runCalls({ ...step, assistantMessage: words, toolCalls: written });
    const proposal = isProposed
      ? readProposal(written)
      : (proposalInText(said, this.#memory.onlyFile) ?? (await this.#writtenOut(said)));
    // A model that failed in one form is asked for the other.
    if (this.#plain !== null) this.#plain = BLOCK_FORM;
    if (proposal === null) return this.#inWords(step, said);
    this.#messages.push(messageOf(step));
    const judged = await this.#judge.judge(proposal, { answer: said });
    if (judged.kind === 'ended') return judged.ended;
    this.#note(judged.words);
    return null;
  }

  /** Code written as text, if it is clear which lines of which file it replaces. */
  async #writtenOut(said: string): Promise<Result<Proposal, string> | null> {
    if (!this.#asksForChange) return null;
    const asked = this.#plain === WHOLE_FORM ? this.#options.input.instruction : null;
    const fences = fencesInText(said);
    const { edits, used } = await this.#memory.editsOfFences(fences, this.#toolContext(), asked);
    return edits.length === 0 ? null : ok({ edits, faults: [], message: wordsAround(said, used) });
  }

  get #asksForChange(): boolean {
    return asksForChange(this.#options.input.instruction);
  }

  /**
   * Handles an answer. A model that announces an action, writes code that fits nowhere, or says almost nothing about
   * the files to change, is asked once more.
   */
  #inWords(step: StepResult, said: string): Ended | null {
    const saysNothing = this.#hasNamed && this.#made.isEmpty && said.trim().length < ANSWER_LEAST_CHARS;
    const isEdit = (saysNothing || isUnusedEdit(said)) && this.#asksForChange;
    const before = this.#before;
    if (before !== null || this.#isLastChance || step.isCut || !(isEdit || isIntent(said))) {
      const { kept } = this.#judge;
      const why = isEdit && before !== null && kept.length === 0 ? UNCHANGED : null;
      const parts = [why, before === said ? null : before, said];
      return ok({ edits: kept, message: parts.filter((part) => part !== null).join('\n\n') });
    }
    this.#before = said;
    this.#messages.push(messageOf(step));
    this.#note(
      this.#plain !== null ? howToWrite(this.#options.input.instruction) : isEdit ? HOW_TO_EDIT : HOW_TO_CALL,
    );
    return null;
  }

  async #runCalls(step: StepResult): Promise<Ended | null> {
    const { assistantMessage, toolCalls } = step;
    this.#cut.drop();
    this.#plain = null;
    const proposed = toolCalls.filter(isProposal);
    // A model that did not use its last chance to propose gets no other.
    if (this.#isLastChance && proposed.length === 0)
      return this.failed(budgetSpent(this.#made, this.#options.input.limits));
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

  /** Why a call is not made; null if it is. It counts as a call all the same, so that a loop of them ends. */
  #refusalOf(call: StepToolCall, canonical: ToolCall): RanCall | null {
    if (this.#callsLeft === 0) return failedCall(canonical, 'budget_spent', 'Your tool calls are used up.');
    if (call.arguments === null) {
      const words =
        'The arguments are not a JSON object. Make the call again with arguments that fit its schema.';
      return failedCall(canonical, 'malformed', words);
    }
    // The user is not asked the same question twice.
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
      isNamed: (file) => isNamed(file, input, this.#options.answered),
      signal: clock.signal,
    };
  }

  async #ask(question: string): Promise<string> {
    const { clock, deps, answered } = this.#options;
    const answer = await clock.outside(deps.askUser(question));
    answered.push({ question, answer });
    return answer;
  }
}

const isProposal = ({ name }: StepToolCall): boolean => name === PROPOSE_EDITS;
