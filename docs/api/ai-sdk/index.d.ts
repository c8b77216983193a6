// The public API of @repertoire/ai-sdk (values: 6, types: 7). Written by "npm run api".

import { ConsentAnswer } from '@repertoire/core'
import { ConsentRequest } from '@repertoire/core'
import { Instructions } from 'ai'
import { LanguageModel } from 'ai'
import { ModelMessage } from 'ai'
import { Outcome } from '@repertoire/core'
import { PrepareStepFunction } from 'ai'
import { Refusal } from '@repertoire/core'
import { Session } from '@repertoire/core'
import { ToolApprovalConfiguration } from 'ai'
import { ToolApprovalStatus } from 'ai'
import { ToolCallRepairFunction } from 'ai'
import { ToolModelMessage } from 'ai'
import { ToolSet } from 'ai'
import { Turn } from '@repertoire/core'
import { generateText } from 'ai'

// Values

export class RefusedCall extends Error {
    readonly name = "RefusedCall";
    readonly refusal: Refusal;
    constructor(options: Extract<Outcome, {
        ok: false;
    }>);
    toString(): string;
}

export function approvalResponses(pending: readonly PendingConsent[], answers: readonly ConsentAnswer[]): ToolModelMessage;

export function consentRequests(session: Session, messages: readonly ModelMessage[]): Promise<PendingConsent[]>;

export function invocationRequest(session: Session, messages: readonly ModelMessage[]): Promise<ConsentRequest | undefined>;

export function isRefusedCall(value: unknown): value is RefusedCall;

export function withSkills<TOOLS extends ToolSet>(session: Session, options: SkillsOptions<TOOLS> & {
    readonly tools: TOOLS;
}): SkillsSettings<TOOLS>;
export function withSkills<OPTIONS extends object>(session: Session, options?: OPTIONS & SkillsOptions<{}> & OnlyOptions<OPTIONS>): SkillsSettings<{}>;

// Types

export interface ForkOptions {
    readonly agent?: SubAgent | undefined;
    readonly agents?: Readonly<Record<string, SubAgent>> | undefined;
    readonly resolveModel?: ((name: string) => LanguageModel | undefined) | undefined;
}

export interface PendingConsent {
    readonly approvalId: string;
    readonly request: ConsentRequest;
}

export type RunSettings = Pick<Settings, (typeof LIKE_THE_RUN)[number] | 'headers' | 'providerOptions'>;

export interface SkillsOptions<TOOLS extends ToolSet> extends ForkOptions {
    readonly instructions?: Instructions | undefined;
    readonly tools?: TOOLS | undefined;
    readonly toolApproval?: ToolApprovalConfiguration<NoInfer<TOOLS>, any> | undefined;
    readonly prepareStep?: PrepareStepFunction<NoInfer<TOOLS>, any> | undefined;
    readonly repairToolCall?: ToolCallRepairFunction<NoInfer<TOOLS>> | undefined;
    readonly abortSignal?: AbortSignal | undefined;
    readonly save?: (() => void | Promise<void>) | undefined;
    readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined;
}

export interface SkillsSettings<TOOLS extends ToolSet> {
    readonly instructions?: Instructions;
    readonly abortSignal?: AbortSignal;
    readonly tools: TOOLS;
    readonly toolApproval: (question: any) => Promise<ToolApprovalStatus>;
    readonly prepareStep: (options: any) => PromiseLike<any>;
    readonly repairToolCall: ToolCallRepairFunction<any>;
}

export interface SubAgent {
    readonly instructions?: Instructions;
    readonly tools?: ToolSet;
    readonly model?: LanguageModel;
    readonly maxSteps?: number;
    readonly settings?: SubAgentSettings;
}

export type SubAgentSettings = RunSettings & Pick<Settings, 'maxRetries' | 'timeout' | 'stopWhen' | 'telemetry' | 'toolCallConcurrency'>;

// Not exported, but part of the above

const LIKE_THE_RUN: readonly ['maxOutputTokens', 'temperature', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty', 'stopSequences', 'seed', 'reasoning'];

type OnlyOptions<OPTIONS> = {
    readonly [Name in Exclude<keyof OPTIONS, keyof SkillsOptions<{}>>]: never;
};

type Settings = NonNullable<Parameters<typeof generateText<any, any, any>>[0]>;
