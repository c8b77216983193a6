// The public API of @repertoire/conformance (values: 28, types: 51). Written by "npm run api".

import { ConsentAnswer } from '@repertoire/core'
import { ConsentHandler } from '@repertoire/core'
import { ConsentRequest } from '@repertoire/core'
import { FunctionTool } from '@repertoire/core'
import { Repertoire } from '@repertoire/core'
import { RepertoireOptions } from '@repertoire/core'
import { SessionOptions } from '@repertoire/core'
import { SkillCounters } from '@repertoire/core'
import { SkillSource } from '@repertoire/core'
import { TokenUsage } from '@repertoire/core'
import { ToolCall } from '@repertoire/core'
import { ToolDefinition } from '@repertoire/core'

// Values

export const AIMS: {
    readonly pathFailures: 0.05;
    readonly scriptsShown: 0;
    readonly tokenSpread: 0.2;
};

export const SCENARIO_LIMITS: ScenarioLimits;

export function activate(name: string, args?: string): CallStep;

export function call(tool: string, input?: unknown, id?: string): CallStep;

export const checks: readonly Check[];

export function deactivate(name?: string): CallStep;

export function failure(expected: string, seen: unknown): Error;

export function figuresOf(run: ModelRun): ModelFigures;

export function fixtureSkills(): SkillSource;

export function lastRefusal(play: Pick<Play, 'requests'>, callId: string): ShownRefusal;

export function lastResult(options: Pick<Play, 'requests'>, callId: string): string;

export function missedAims(runs: readonly ModelRun[], overrides?: {
    readonly [Aim in keyof typeof AIMS]?: number;
}): readonly string[];

export const nativeTools: Dialect;

export function openModelEndpoint(): Promise<ModelEndpoint>;

export function renderJUnit(report: Report): string;

export function renderJson(report: Report): string;

export function renderMarkdown(report: Report, options?: MarkdownOptions): string;

export function renderOverview(report: Report): string;

export function renderTerminal(report: Report, options?: TerminalOptions): string;

export function runConformance(options: RunOptions): Promise<Report>;

export function runScenario(scenario: Scenario, agent: ScenarioAgent, options?: ScenarioOptions): Promise<ScenarioResult>;

export function say(text?: string): SayStep;

export const scenarios: readonly Scenario[];

export function scriptedAgent(options: ScriptedOptions): ScenarioAgent;

export function together(...steps: readonly CallStep[]): CallStep;

export function tokenSpread(runs: readonly ModelRun[]): readonly TokenSpread[];

export function unexpected(report: Report): readonly Result[];

export function unknownCheckText(id: string, known: Iterable<string>): string;

// Types

export interface AdapterDriver {
    readonly name: string;
    readonly variants: readonly [Variant, ...Variant[]];
    readonly capabilities: Capabilities;
    readonly known?: Readonly<Record<string, string>>;
    start(task: TaskSetup): Promise<Conversation>;
}

export interface Bench {
    readonly variant: string;
    readonly continues: boolean;
    open(options: TrialOptions): Promise<Trial>;
}

export interface CallStep {
    readonly calls: readonly ScriptedCall[];
    readonly text?: string;
    readonly reasoning?: Reasoning;
    readonly files?: readonly ModelFile[];
}

export interface Capabilities {
    readonly suspend: Capability;
    readonly resume: Capability;
    readonly abort: Capability;
    readonly parallelCalls: Capability;
    readonly hiding: Capability;
    readonly continuation: Capability;
    readonly compaction: Capability;
    readonly approval: Capability;
}

export interface Check {
    readonly id: string;
    readonly area: CheckArea;
    readonly level: 'MUST' | 'SHOULD';
    readonly title: string;
    readonly needs?: readonly (keyof Capabilities)[];
    run(bench: Bench): Promise<void>;
}

export interface CheckOptions {
    readonly checks?: readonly Check[];
    readonly only?: readonly string[];
    readonly sources?: readonly SkillSource[];
    readonly deadline?: number;
    readonly variants?: 'all' | 'each-protocol' | 'by-turns';
}

export interface Conversation {
    send(text: string, options?: {
        readonly signal?: AbortSignal;
    }): Promise<Turn>;
    answer(answers: readonly ConsentAnswer[], options?: {
        readonly signal?: AbortSignal;
    }): Promise<Turn>;
    save(): Promise<unknown>;
    forget?(): Promise<void>;
    active(): Promise<readonly string[]>;
    end(): Promise<void>;
}

export interface Dialect {
    readonly name: string;
    decode(body: unknown, sent: readonly SentMessage[]): Omit<WireRequest, 'raw'>;
    encode(message: ScriptedMessage): EncodedMessage;
}

export interface EncodedMessage {
    readonly content: string | null;
    readonly toolCalls?: readonly WireCall[];
    readonly reasoning?: Reasoning;
    readonly files?: readonly ModelFile[];
}

export interface FinalState {
    readonly read: (path: string) => Promise<string | undefined>;
    readonly active: readonly string[];
    readonly mark: string;
}

export interface JsonReport {
    readonly adapters: readonly string[];
    readonly results: readonly Omit<Result, 'variants'>[];
    readonly leftOut?: readonly LeftOut[];
}

export interface LeftOut {
    readonly adapter: string;
    readonly variant: string;
    readonly reason: string;
}

export interface ModelEndpoint {
    play(script: readonly ScriptStep[], options?: PlaySettings): Play;
    close(): Promise<void>;
}

export interface ModelFigures {
    readonly model: string;
    readonly passed: number;
    readonly scenarios: number;
    readonly paths: {
        readonly tried: number;
        readonly failed: number;
        readonly intended: number;
        readonly rate?: number;
    };
    readonly scriptReads: number;
    readonly scriptsShown: number;
    readonly violations: number;
    readonly scripts: {
        readonly started: number;
        readonly succeeded: number;
        readonly rate?: number;
    };
    readonly steps: number;
    readonly tokens: {
        readonly input: number;
        readonly output: number;
    };
}

export interface ModelFile {
    readonly mediaType: string;
    readonly data: string;
}

export interface ModelRun {
    readonly model: string;
    readonly results: readonly ScenarioResult[];
}

export type Paint = (text: string) => string;

export interface Palette {
    readonly pass: Paint;
    readonly fail: Paint;
    readonly known: Paint;
    readonly absent: Paint;
    readonly strong: Paint;
    readonly faint: Paint;
}

export interface Play {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly model: string;
    readonly requests: readonly WireRequest[];
    readonly answers: readonly EncodedMessage[];
    readonly failures: readonly string[];
    readonly waiting: readonly string[];
    close(): void;
}

export type ProtocolName = 'openai' | 'openai-responses' | 'anthropic' | 'gemini';

export interface Reasoning {
    readonly text: string;
    readonly hidden?: boolean;
}

export interface Report {
    readonly adapters: readonly string[];
    readonly checks: readonly ReportedCheck[];
    readonly results: readonly Result[];
    readonly leftOut?: readonly LeftOut[];
}

export interface Result {
    readonly adapter: string;
    readonly id: string;
    readonly level: Check['level'];
    readonly title: string;
    readonly status: Status;
    readonly reason?: string;
    readonly workaround?: string;
    readonly absent?: string;
    readonly variants?: readonly VariantResult[];
}

export interface RunOptions extends CheckOptions {
    readonly drivers: readonly AdapterDriver[];
    readonly onResult?: (result: Result) => void;
    readonly concurrency?: number;
}

export interface SayStep {
    readonly text: string;
    readonly reasoning?: Reasoning;
    readonly files?: readonly ModelFile[];
}

export interface Scenario {
    readonly id: string;
    readonly title: string;
    readonly prompt: string;
    skills(mark: string): Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
    readonly names?: Readonly<Partial<Record<'Bash' | 'Read' | 'Write', string>>>;
    tools?(workshop: Workshop): readonly FunctionTool[];
    judge(state: FinalState): Promise<string | undefined> | string | undefined;
    readonly weak: readonly ScriptStep[];
    readonly wrongPaths?: readonly string[];
}

export type ScenarioAgent = (task: ScenarioTask) => Promise<ScenarioEnd>;

export interface ScenarioLimits {
    readonly steps: number;
    readonly tokens: number;
    readonly time: number;
}

export interface ScenarioOptions {
    readonly limits?: Partial<ScenarioLimits>;
    readonly model?: string;
    readonly signal?: AbortSignal;
}

export interface ScenarioResult {
    readonly scenario: string;
    readonly passed: boolean;
    readonly reason?: string;
    readonly stopped?: 'steps' | 'tokens' | 'time' | 'error';
    readonly steps: number;
    readonly tokens: {
        readonly input: number;
        readonly output: number;
    };
    readonly paths: {
        readonly tried: number;
        readonly failed: number;
        readonly intended: number;
    };
    readonly scriptReads: number;
    readonly scriptsShown: number;
    readonly violations: number;
    readonly scripts: {
        readonly started: number;
        readonly succeeded: number;
    };
    readonly skills: readonly SkillCounters[];
}

export interface ScenarioTask {
    readonly scenario: Scenario;
    readonly prompt: string;
    readonly instructions: string;
    readonly repertoire: Repertoire;
    readonly session: SessionOptions;
    readonly tools: readonly FunctionTool[];
    readonly maxSteps: number;
    readonly signal: AbortSignal;
    beforeCall(shown: readonly string[]): void;
    afterCall(usage: TokenUsage): void;
}

export type ScriptStep = SayStep | CallStep | ErrorStep | DropStep | HoldStep
 | ((request: WireRequest, left: AbortSignal) => ScriptStep);

export interface ScriptedCall {
    readonly id?: string;
    readonly tool: string;
    readonly input: unknown;
}

export interface ScriptedMessage {
    readonly text?: string;
    readonly calls: readonly WireCall[];
    readonly reasoning?: Reasoning;
    readonly files?: readonly ModelFile[];
}

export interface ScriptedOptions {
    readonly driver: AdapterDriver;
    readonly variant: Variant;
    readonly endpoint: ModelEndpoint;
}

export interface SentMessage {
    readonly scripted: ScriptedMessage;
    readonly encoded: EncodedMessage;
}

export interface ShownRefusal {
    readonly code: string;
    readonly reason: string;
    readonly allowedTools?: readonly string[];
}

export type Status = 'pass' | 'fail' | 'known' | 'n/a';

export interface TaskAgent {
    readonly instructions: string;
}

export interface TaskApproval {
    readonly tools: readonly string[];
    ask(call: Pick<ToolCall, 'tool' | 'input'>): Promise<ApprovalAnswer>;
}

export interface TaskEndpoint {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly model: string;
}

export interface TaskSetup {
    readonly variant: string;
    readonly endpoint: TaskEndpoint;
    readonly repertoire: Repertoire;
    readonly session: SessionOptions;
    readonly instructions: string;
    readonly tools: readonly FunctionTool[];
    readonly maxSteps: number;
    readonly models?: ReadonlyMap<string, TaskEndpoint>;
    readonly agents?: Readonly<Record<string, TaskAgent>>;
    readonly approval?: TaskApproval;
    readonly saved?: unknown;
}

export interface TokenSpread {
    readonly scenario: string;
    readonly least: number;
    readonly most: number;
    readonly spread: number;
}

export interface Trial {
    send(text: string, options?: {
        readonly signal?: AbortSignal;
    }): Promise<Turn>;
    answer(answers: readonly ConsentAnswer[], options?: {
        readonly signal?: AbortSignal;
    }): Promise<Turn>;
    save(): Promise<unknown>;
    forget(): Promise<void>;
    active(): Promise<readonly string[]>;
    end(): Promise<void>;
    reload(): Promise<void>;
    readonly model: string;
    readonly requests: readonly WireRequest[];
    readonly answers: readonly EncodedMessage[];
    requestsTo(model: string): readonly WireRequest[];
    readonly runs: readonly ToolRun[];
    resultOf(callId: string): string;
}

export interface TrialOptions {
    readonly script: readonly ScriptStep[];
    readonly sources?: readonly SkillSource[];
    readonly beside?: Trial;
    readonly repertoire?: Omit<RepertoireOptions, 'sources'>;
    readonly consent?: ConsentHandler | 'suspend';
    readonly session?: Omit<SessionOptions, 'consent'>;
    readonly tools?: readonly FunctionTool[];
    readonly instructions?: string;
    readonly maxSteps?: number;
    readonly models?: Readonly<Record<string, readonly ScriptStep[]>>;
    readonly agents?: Readonly<Record<string, TaskAgent>>;
    readonly approval?: TaskApproval;
    readonly saved?: unknown;
}

export type Turn = {
    readonly status: 'done';
    readonly text: string;
} | {
    readonly status: 'asking';
    readonly requests: readonly ConsentRequest[];
};

export interface Variant {
    readonly name: string;
    readonly protocol?: ProtocolName;
    readonly dialect?: Dialect;
    readonly load?: () => Promise<unknown>;
    readonly absent?: {
        readonly [Name in keyof Capabilities]?: string;
    };
    readonly known?: Readonly<Record<string, string>>;
}

export interface WireCall {
    readonly id: string;
    readonly tool: string;
    readonly arguments: string;
}

export interface WireMessage {
    readonly role: 'user' | 'assistant' | 'tool';
    readonly text: string;
    readonly reasoning?: string;
    readonly files?: readonly ModelFile[];
    readonly calls?: readonly WireCall[];
    readonly callId?: string;
}

export interface WireRequest {
    readonly system: string;
    readonly tools: readonly ToolDefinition[];
    readonly messages: readonly WireMessage[];
    readonly stream: boolean;
    readonly raw: unknown;
}

export interface Workshop {
    readonly skills: string;
    readonly work: string;
    readonly scripts: ReadonlySet<string>;
    readonly paths: {
        tried: number;
        readonly missing: string[];
    };
    find(path: string): Promise<string | undefined>;
    read(path: string): Promise<string | undefined>;
    write(path: string, content: string): Promise<void>;
    remove(): Promise<void>;
}

// Not exported, but part of the above

interface ApprovalAnswer {
    readonly approved: boolean;
    readonly reason?: string;
}

type Capability = true | {
    readonly workaround: string;
} | {
    readonly absent: string;
};

type CheckArea = 'listing' | 'activation' | 'resources' | 'scripts' | 'execution' | 'gate' | 'consent' | 'stack' | 'isolation' | 'errors' | 'cleanup' | 'turns' | 'history' | 'forks' | 'audit' | 'navigation' | 'window';

interface DropStep {
    readonly drop: 'before-headers' | 'mid-stream';
}

interface ErrorStep {
    readonly status: number;
    readonly message: string;
}

interface HoldStep {
    readonly hold: Promise<void>;
    readonly next: ScriptStep;
}

interface MarkdownOptions {
    readonly heading?: string;
}

interface PlaySettings {
    readonly protocol?: ProtocolName | undefined;
    readonly dialect?: Dialect | undefined;
    readonly after?: Play | undefined;
}

type ReportedCheck = Pick<Check, 'id' | 'level' | 'title' | 'area'>;

interface ScenarioEnd {
    readonly active: readonly string[];
    readonly intendedPaths?: readonly string[];
}

interface TerminalOptions {
    readonly palette?: Palette;
    readonly width?: number;
}

interface ToolRun {
    readonly tool: string;
    readonly input: unknown;
    readonly callId: string;
}

interface VariantResult {
    readonly variant: string;
    readonly passed: boolean;
    readonly reason?: string;
}
