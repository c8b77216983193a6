// The public API of @repertoire/react-loop (values: 5, types: 27). Written by "npm run api".

import { ConsentHandler } from '@repertoire/core'
import { ConsentRequest } from '@repertoire/core'
import { FunctionTool } from '@repertoire/core'
import { Session } from '@repertoire/core'
import { ToolCall } from '@repertoire/core'
import { ToolDefinition } from '@repertoire/core'

// Values

export function anthropic(options: AnthropicOptions): Model;

export function createReActLoop(options: ReActLoopOptions): ReActLoop;

export function gemini(options: GeminiOptions): Model;

export function openAICompatible(options: OpenAICompatibleOptions): Model;

export function openAIResponses(options: OpenAIResponsesOptions): Model;

// Types

export interface AnthropicOptions extends ClientOptions {
    readonly apiKey: string;
    readonly baseURL?: string;
    readonly maxTokens?: number;
}

export type Approval = boolean | {
    readonly approved: boolean;
    readonly reason?: string;
};

export type ApprovalHandler = (call: ToolCall, options: {
    readonly signal?: AbortSignal;
}) => Approval | Promise<Approval>;

export interface ApprovalOptions {
    readonly approve?: ApprovalHandler | undefined;
    readonly needsApproval?: ((call: ToolCall) => boolean | Promise<boolean>) | undefined;
}

export interface AssistantMessage {
    readonly role: 'assistant';
    readonly content: string;
    readonly calls?: readonly ToolCall[];
    readonly provider?: ProviderPart;
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'refusal' | 'other';

export interface ForkOptions {
    readonly agents?: Readonly<Record<string, SubAgent>> | undefined;
    readonly resolveModel?: ((name: string) => Model | undefined) | undefined;
}

export interface ForkPlace {
    readonly skill: string;
    readonly callId: string;
    readonly session: string;
}

export interface GeminiOptions extends ClientOptions {
    readonly apiKey: string;
    readonly baseURL?: string;
}

export type LoopEvent =
{
    readonly type: 'step-start';
    readonly step: number;
}
 | {
    readonly type: 'text-delta';
    readonly text: string;
}
 | {
    readonly type: 'tool-call';
    readonly call: ToolCall;
}
 | {
    readonly type: 'consent-request';
    readonly request: ConsentRequest;
}
 | {
    readonly type: 'approval-request';
    readonly call: ToolCall;
}
 | {
    readonly type: 'tool-result';
    readonly result: ToolMessage;
}
 | ({
    readonly type: 'fork-start';
} & ForkPlace)
 | ({
    readonly type: 'fork-end';
    readonly result?: LoopResult;
} & ForkPlace) | {
    readonly type: 'step-end';
    readonly step: number;
    readonly finishReason: FinishReason;
    readonly usage?: Usage;
} | {
    readonly type: 'finish';
    readonly result: LoopResult;
};

export interface LoopResult {
    readonly text: string;
    readonly messages: readonly Message[];
    readonly steps: number;
    readonly finishReason: FinishReason | 'max-steps';
    readonly usage: Usage;
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface Model {
    readonly name?: string;
    complete(request: ModelRequest, options: ModelCallOptions): Promise<ModelAnswer>;
    stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelPart>;
}

export interface ModelAnswer {
    readonly text: string;
    readonly calls: readonly ToolCall[];
    readonly finishReason: FinishReason;
    readonly usage?: Usage;
    readonly provider?: ProviderPart;
}

export interface ModelCallOptions {
    readonly signal?: AbortSignal | undefined;
}

export type ModelPart = {
    readonly type: 'text';
    readonly text: string;
} | {
    readonly type: 'answer';
    readonly answer: ModelAnswer;
};

export interface ModelRequest {
    readonly system?: string;
    readonly messages: readonly Message[];
    readonly tools: readonly ToolDefinition[];
    readonly stop?: readonly string[];
}

export interface OpenAICompatibleOptions extends ClientOptions {
    readonly baseURL: string;
    readonly apiKey?: string;
}

export interface OpenAIResponsesOptions extends ClientOptions {
    readonly apiKey?: string;
    readonly baseURL?: string;
}

export interface ProviderPart {
    readonly vendor: string;
    readonly content: readonly unknown[];
}

export interface ReActLoop {
    run(input: string | readonly Message[], options?: RunOptions): Promise<LoopResult>;
    stream(input: string | readonly Message[], options?: RunOptions): AsyncGenerator<LoopEvent, void, undefined>;
}

export interface ReActLoopOptions extends ApprovalOptions, ForkOptions {
    readonly model: Model;
    readonly session: Session;
    readonly tools?: readonly FunctionTool[];
    readonly instructions?: string;
    readonly protocol?: 'native' | 'text';
    readonly maxSteps?: number;
    readonly onConsent?: ConsentHandler;
}

export interface RunOptions {
    readonly signal?: AbortSignal;
    readonly onMessage?: (message: Message) => void;
}

export interface SubAgent {
    readonly instructions?: string;
    readonly tools?: readonly FunctionTool[];
    readonly model?: Model;
    readonly protocol?: 'native' | 'text';
    readonly maxSteps?: number;
}

export interface ToolMessage {
    readonly role: 'tool';
    readonly callId: string;
    readonly tool: string;
    readonly content: string;
    readonly isError: boolean;
}

export interface Usage {
    readonly inputTokens: number;
    readonly outputTokens: number;
}

export interface UserMessage {
    readonly role: 'user';
    readonly content: string;
    readonly from?: 'skills';
}

// Not exported, but part of the above

interface ClientOptions {
    readonly model: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly fetch?: typeof fetch;
    readonly maxRetries?: number;
}
