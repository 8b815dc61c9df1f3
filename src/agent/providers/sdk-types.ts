/** The model SDK's own types that we use, by way of the one package that is depended on. */
import type { LanguageModel } from 'ai';

/** A model by its lowest interface: one request, one stream, no loop and no retries of its own. */
export type SdkModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
export type CallOptions = Parameters<SdkModel['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type SdkTool = NonNullable<CallOptions['tools']>[number];

type StreamOf<T> = T extends ReadableStream<infer Part> ? Part : never;
export type StreamPart = StreamOf<Awaited<ReturnType<SdkModel['doStream']>>['stream']>;
