/** The types that we use of the model SDK, taken from the one package that we depend on. */
import type { LanguageModel } from 'ai';

/** A model by its lowest interface: one request, one stream, without loop or retries. */
export type SdkModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
export type CallOptions = Parameters<SdkModel['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type SdkTool = NonNullable<CallOptions['tools']>[number];

type StreamOf<T> = T extends ReadableStream<infer Part> ? Part : never;
export type StreamPart = StreamOf<Awaited<ReturnType<SdkModel['doStream']>>['stream']>;
