// The public API of @repertoire/core/adapter (values: 35, types: 17). Written by "npm run api".

import { ConsentAnswer } from '@repertoire/core'
import { ConsentDecision } from '@repertoire/core'
import { ConsentRequest } from '@repertoire/core'
import { ForkRequest } from '@repertoire/core'
import { ForkRunner } from '@repertoire/core'
import { GateMode } from '@repertoire/core'
import { Layer } from '@repertoire/core'
import { ListedSkill } from '@repertoire/core'
import { Mount } from '@repertoire/core'
import { OptionTable } from '@repertoire/core/options'
import { Session } from '@repertoire/core'
import { SessionOptions } from '@repertoire/core'
import { Summarizer } from '@repertoire/core'
import { ToolDefinition } from '@repertoire/core'
import { ToolRule } from '@repertoire/core'
import { Turn } from '@repertoire/core'

// Values

export const DEFAULT_SUB_AGENT_STEPS = 20;

export const SCRIPT_ARGUMENT_LIMITS: {
    readonly count: number;
    readonly oneBytes: number;
    readonly allBytes: number;
};

export const SESSION_OPTIONS: OptionTable<SessionOptions>;

export const UNATTENDED_REASON = "nobody can be asked to approve it in a sub-agent";

export function abandonedCallError(tool: string): Error;

export function activationText(activation: Activation): string;

export function agentFor<Agent>(agents: Readonly<Record<string, Agent>> | undefined, options: Pick<ForkRequest, 'agent'>): Agent | undefined;

export function applyChange(state: SessionState, change: SessionChange): SessionState;

export function argumentsAsObject(input: unknown): Readonly<Record<string, unknown>>;

export function beginTurnWithConsent(session: Session, message: string, given: TurnWithConsentOptions): Promise<Turn>;

export function checkAnswers(name: string, pending: readonly {
    readonly request: ConsentRequest;
}[], answers: readonly ConsentAnswer[]): void;

export function escapeXml(text: string): string;

export function failureText(error: unknown): string;

export function initialState(id: string): SessionState;

export function invocationConsentRequest(session: Session, message: string, id: string, options?: {
    readonly signal?: AbortSignal | undefined;
}): Promise<ConsentRequest | undefined>;

export function isOutdatedYes(value: unknown, requestId: string): boolean;

export function isTextOfContent(text: string, request: ConsentRequest): boolean;

export function joinSystemPrompt(...parts: readonly (string | undefined)[]): string | undefined;

export function messageText(content: string | readonly MessagePart[]): string;

export function modelFor<Model>(options: Pick<ForkRequest, 'model'>, choice: ModelChoice<Model>): Model;

export function navigationGuidance(tools: GuidanceTools): string;

export function parseInvocation(message: string): {
    readonly name: string;
    readonly args?: string;
} | undefined;

export function partsUntilAborted<T>(parts: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, undefined>;

export function readArguments(text: string): unknown;

export function readConsentAnswer(value: unknown, requestId: string): ConsentDecision;

export function resultText(value: unknown): string;

export function sentMessages<Message>(fit: WindowFit | undefined, messages: readonly Message[], asMessage: (summary: string) => Message): readonly Message[];

export function skillSections(sections: SkillSections): string;

export function skillToolName(skill: string): string;

export function skillToolsOf(skills: readonly ListedSkill[]): readonly ToolDefinition[];

export function stillRead<T>(messages: readonly T[], isCompaction: (message: T) => boolean): readonly T[];

export function unattendedCallError(tool: string): Error;

export function unattendedForkError(): Error;

export function unfinishedForkError(modelCalls: number): Error;

export function uniqueCallIds(used?: Iterable<string>): (written: string | undefined) => string;

// Types

export interface Activation {
    readonly name: string;
    readonly description: string;
    readonly basePath: string;
    readonly instructions: string;
    readonly allowedTools?: readonly string[];
    readonly disallowedTools?: readonly string[];
    readonly assumedTools?: true;
    readonly mode?: Exclude<GateMode, 'restrict'>;
    readonly args?: string;
    readonly folder: FolderSummary;
    readonly mountPath: string;
    readonly layer: Layer;
    readonly source: string;
    readonly origin?: string;
    readonly type: SkillType;
    readonly metadata: Readonly<Record<string, string>>;
}

export interface ActiveSkill {
    readonly name: string;
    readonly layer: Layer;
    readonly source: string;
    readonly location: string;
    readonly alias?: string;
    readonly digest: string;
    readonly rules?: readonly ToolRule[];
    readonly assumed?: true;
    readonly denied?: readonly ToolRule[];
    readonly shownRules?: readonly string[];
    readonly shownDenied?: readonly string[];
    readonly shownMode?: Exclude<GateMode, 'restrict'>;
    readonly scripts: readonly string[];
    readonly args?: string;
    readonly laterArgs?: string;
    readonly model?: string;
    readonly since?: number;
    readonly mount?: Mount;
    readonly runner?: string;
    readonly post?: readonly string[];
    readonly toolsets?: readonly string[];
    readonly inherited?: true;
    readonly forked?: true;
}

export interface CallOptions extends RunOptions {
    readonly fork?: ForkRunner | undefined;
    readonly message?: string | undefined;
}

export interface GuidanceTools {
    readonly activate?: string;
    readonly prefix?: string;
    readonly deactivate: string;
    readonly readResource: string;
    readonly runScript?: string;
    readonly search?: string;
    readonly shell?: {
        readonly name: string;
        readonly argument?: string;
        readonly program?: {
            readonly name: string;
            readonly args: string;
        };
    };
    readonly mode?: GateMode;
    readonly mounted?: boolean;
}

export interface MessagePart {
    readonly type: string;
    readonly text?: unknown;
}

export interface SealedChanges {
    readonly session: string;
    readonly changes: readonly SessionChange[];
    readonly seal: string;
}

export type SessionChange = {
    readonly type: 'opened';
    readonly id: string;
    readonly correlationId?: string;
} | {
    readonly type: 'asked';
    readonly request: OpenRequest;
} | {
    readonly type: 'answered';
    readonly id: string;
    readonly approved: boolean;
    readonly reason?: string;
} | {
    readonly type: 'settled';
    readonly id: string;
} | {
    readonly type: 'used';
    readonly id: string;
} | {
    readonly type: 'granted';
    readonly grant: Grant;
} | {
    readonly type: 'activated';
    readonly skill: ActiveSkill;
} | {
    readonly type: 'passed';
    readonly name: string;
    readonly args: string;
} | {
    readonly type: 'deactivated';
    readonly name: string;
} | {
    readonly type: 'summarized';
    readonly summary: SummaryRecord;
} | {
    readonly type: 'forgotten';
    readonly digest: string;
} | {
    readonly type: 'matched';
    readonly names: readonly string[];
} | {
    readonly type: 'stored';
    readonly mark: StoredMark;
} | {
    readonly type: 'ended';
};

export interface SessionState {
    readonly version: 1;
    readonly id: string;
    readonly correlationId?: string;
    readonly active: readonly ActiveSkill[];
    readonly granted: readonly Grant[];
    readonly open: readonly OpenRequest[];
    readonly summary?: SummaryRecord;
    readonly matched?: readonly string[];
    readonly used?: readonly string[];
    readonly stored?: StoredMark;
    readonly ended: boolean;
}

export interface SkillSection {
    readonly name: string;
    readonly description?: string;
    readonly location?: string;
    readonly content?: string;
}

export interface StepOptions {
    readonly model?: string | undefined;
}

export interface StoredMark {
    readonly tenant: string;
    readonly version: number;
    readonly expires: number;
}

export interface SummaryRecord {
    readonly text: string;
    readonly covers: number;
    readonly digest: string;
    readonly shown?: number;
}

export interface TurnOptions extends CallOptions {
    readonly id?: string | undefined;
}

export interface WindowCall {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
}

export interface WindowFit {
    readonly messages: readonly (number | {
        readonly summary: string;
    })[];
    system(text: string): string;
}

export interface WindowMessage {
    readonly role: 'user' | 'assistant' | 'tool';
    readonly text: string;
    readonly calls?: readonly WindowCall[];
    readonly answers?: readonly string[];
    readonly hidden?: string;
    readonly files?: number;
    readonly own?: true;
    readonly compaction?: true;
}

export interface WindowRequest {
    readonly system: string | undefined;
    readonly tools: readonly string[];
    readonly messages: readonly WindowMessage[];
    readonly summarize?: Summarizer | undefined;
    readonly chained?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}

// Not exported, but part of the above

interface FolderCount {
    readonly path: string;
    readonly files: number;
}

interface FolderSummary {
    readonly files: readonly string[];
    readonly more?: number;
    readonly truncated: boolean;
    readonly folders?: readonly FolderCount[];
}

interface Grant {
    readonly skill: string;
    readonly source: string;
    readonly digest: string;
    readonly runner?: string;
    readonly preapproves?: true;
}

interface ModelChoice<Model> {
    readonly resolveModel?: ((name: string) => Model | undefined) | undefined;
    readonly agent: {
        readonly model?: Model;
    } | undefined;
    readonly parentModel: Model | undefined;
}

interface OpenRequest {
    readonly id: string;
    readonly callId: string;
    readonly approved?: boolean;
    readonly reason?: string;
}

interface RunOptions {
    readonly signal?: AbortSignal | undefined;
    readonly suspends?: ((error: unknown) => boolean) | undefined;
}

interface SkillSections {
    readonly active: readonly SkillSection[];
    readonly relevant: readonly SkillSection[];
}

type SkillType = 'instruction' | 'composite' | 'script' | 'template';

interface TurnWithConsentOptions extends TurnOptions {
    readonly id: string;
    readonly ask?: ((request: ConsentRequest) => void | Promise<void>) | undefined;
}
