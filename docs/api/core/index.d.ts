// The public API of @repertoire/core (values: 36, types: 170). Written by "npm run api".

import { CallOptions } from '@repertoire/core/adapter'
import { SealedChanges } from '@repertoire/core/adapter'
import { SessionChange } from '@repertoire/core/adapter'
import { SessionState } from '@repertoire/core/adapter'
import { StepOptions } from '@repertoire/core/adapter'
import { TurnOptions } from '@repertoire/core/adapter'
import { WindowFit } from '@repertoire/core/adapter'
import { WindowRequest } from '@repertoire/core/adapter'

// Values

export const DEFAULT_LAYERS: readonly Layer[];

export const DEFAULT_TOOL_NAMES: SkillToolNames;

export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, string>>;

export const LISTING_STYLES: readonly ListingStyle[];

export const PROFILES: readonly Profile[];

export class SkillError extends Error {
    readonly name = "SkillError";
    readonly code: SkillErrorCode;
    readonly path?: string;
    readonly line?: number;
    readonly nearest?: readonly string[];
    readonly problems?: readonly ConfigurationProblem[];
    constructor(code: SkillErrorCode, message: string, details?: SkillErrorDetails);
}

export const WELL_KNOWN_TOOLS: readonly WellKnownTool[];

export function adviseSkill(document: SkillDocument, folder: SkillFolder, options?: AdviceOptions): Promise<readonly Diagnostic[]>;

export function bundledSource(): SkillSource;

export function checkScripts(folder: SkillFolder, runner?: ScriptRunner): Promise<readonly ScriptCheck[]>;

export function clientConsentRequest(request: ConsentRequest, options?: ClientRequestOptions): ClientConsentRequest;

export function createCounters(): Counters;

export function createExecutor(options?: ExecutorOptions): Executor;

export function digestFolder(folder: SkillFolder, listing: FolderListing, manifest: Uint8Array): Promise<string>;

export const estimateTokens: TokenCounter;

export function findResource(folder: SkillFolder, path: string, options?: ReadOptions): Promise<Resource | null>;

export function formatRule(rule: ToolRule): string;

export function getSkillItems(provider: SkillProvider | undefined, request?: SkillItemRequest, options?: {
    readonly timeout?: number;
}): Promise<readonly SkillItem[]>;

export function groupResources(files: readonly FolderEntry[]): ResourceGroups;

export function inspectDemands(document: SkillDocument, folder: SkillFolder): Promise<SkillDemands>;

export function isSkillError(value: unknown): value is SkillError;

export function listAsSection(skills: readonly ListedSkill[]): string;

export function listAsXml(skills: readonly ListedSkill[]): string;

export function listForTool(skills: readonly ListedSkill[]): string;

export function memorySessions(options?: MemorySessionsOptions): SessionStore;

export function memorySource(options: MemorySourceOptions): SkillSource;

export function openRepertoire(options: RepertoireOptions): Promise<Repertoire>;

export function openStoredSession(repertoire: Repertoire, options: StoredSessionOptions): Promise<StoredSession>;

export function parseSkill(text: string | Uint8Array, context?: Partial<ManifestContext>): Promise<SkillDocument>;

export function readResource(folder: SkillFolder, path: string, options?: ReadOptions): Promise<Resource>;

export function renderListing(skills: readonly Skill[], style: ListingStyle, budget?: ListingBudget | false, layers?: readonly Layer[], options?: {
    readonly searchable?: boolean;
}): {
    readonly text: string;
    readonly tools: readonly ToolDefinition[];
    readonly cuts: ListingCuts;
};

export function renderSkill(content: SkillContent): Promise<string>;

export function safeGitEnvironment(): Readonly<Record<string, string>>;

export function showInvisible(text: string): string;

export function showName(text: string): string;

export function withStoredSession<T>(repertoire: Repertoire, options: StoredSessionOptions, work: (session: Session, stored: StoredSession) => Promise<T>): Promise<T>;

// Types

export interface Admission {
    readonly tools?: readonly string[];
    readonly withoutAllowedTools?: 'everything' | 'nothing' | readonly string[];
    readonly scripts?: boolean;
    readonly hooks?: boolean;
}

export interface AuditEvent {
    readonly version: 1;
    readonly type: AuditEventType;
    readonly time: string;
    readonly session: string;
    readonly correlationId?: string;
    readonly agent?: string;
    readonly tenant?: string;
    readonly environment?: string;
    readonly model?: string;
    readonly callId?: string;
    readonly tool?: string;
    readonly standsFor?: readonly string[];
    readonly inputDigest?: string;
    readonly input?: unknown;
    readonly skill?: AuditedSkill;
    readonly skills: readonly AuditedSkill[];
    readonly allowedTools?: readonly string[];
    readonly refusedBy?: RefusedBy;
    readonly unmatchedTools?: readonly string[];
    readonly script?: {
        readonly skill: string;
        readonly path: string;
    };
    readonly run?: AuditedRun;
    readonly scriptRead?: {
        readonly skill: string;
        readonly path: string;
    };
    readonly missing?: string;
    readonly path?: string;
    readonly found?: readonly string[];
    readonly hook?: string;
    readonly usage?: TokenUsage;
    readonly window?: AuditedWindow;
    readonly endedBy?: 'call' | 'task' | 'window';
    readonly durationMs?: number;
    readonly outcome: AuditOutcome;
    readonly code?: RefusalCode;
    readonly reason?: string;
    readonly error?: string;
    readonly enforced: boolean;
}

export type AuditEventType =
'skill.activating' | 'skill.activated'
 | 'skill.denied'
 | 'skill.deactivated'
 | 'tool.started' | 'tool.finished'
 | 'tool.late'
 | 'tool.refused'
 | 'restriction.violated' | 'script_read.blocked'
 | 'resource.read' | 'resource.refused'
 | 'skills.searched'
 | 'skills.matched' | 'hook.finished' | 'hook.failed'
 | 'script.started' | 'script.finished' | 'fork.started' | 'fork.finished'
 | 'execution.started'
 | 'execution.finished'
 | 'model.called'
 | 'window.summarized'
 | 'window.evicted'
 | 'window.exceeded'
 | 'window.forgotten'
 | 'window.left_alone';

export interface AuditOptions {
    readonly sink: AuditSink | readonly AuditSink[];
    readonly required?: boolean | readonly AuditSink[];
    readonly inputs?: 'none' | 'redacted';
    readonly redact?: (text: string) => string;
    readonly timeout?: number;
    readonly now?: () => number;
    readonly failed?: (value: unknown, tool: string) => boolean;
    readonly notFound?: (result: unknown, tool: string) => boolean;
}

export interface AuditSink {
    write(event: AuditEvent): void | Promise<void>;
    close?(): void | Promise<void>;
}

export interface AuditedRun {
    readonly interpreter: string;
    readonly runner: string;
    readonly isolation: string;
    readonly isolated: boolean;
    readonly network: boolean;
    readonly end?: ScriptEnd;
    readonly exitCode?: number;
    readonly signal?: string;
    readonly droppedBytes?: number;
}

export interface AuditedWindow {
    readonly size: number;
    readonly tokensBefore?: number;
    readonly tokens?: number;
    readonly messages?: number;
    readonly by?: 'summarizer' | 'extract';
    readonly skills?: readonly string[];
}

export interface CallConsentRequest extends Readonly<Partial<Record<Exclude<keyof SkillConsentRequest, 'id' | 'callId' | 'session' | 'tool' | 'input' | 'rule' | 'text'>, undefined>>> {
    readonly id: string;
    readonly callId: string;
    readonly session: string;
    readonly tool: string;
    readonly input: unknown;
    readonly rule: string;
    readonly text: string;
}

export interface Catalog {
    list(): readonly Skill[];
    has(name: string): boolean;
    get(name: string): Skill;
    readonly search: SearchSkills;
    readonly shadowed: readonly ShadowedSkill[];
    readonly inactive: readonly Skill[];
    readonly refused: readonly RefusedSkill[];
    readonly broken: readonly BrokenSkill[];
    readonly kept: readonly Skill[];
    readonly diagnostics: readonly Diagnostic[];
}

export interface ClientCallRequest {
    readonly kind: 'call';
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
    readonly rule: string;
}

export type ClientConsentRequest = ClientSkillRequest | ClientCallRequest;

export interface ClientRequestOptions {
    readonly folders?: Readonly<Record<string, string>>;
}

export interface ClientSkillRequest {
    readonly kind: 'activation' | 'execution';
    readonly id: string;
    readonly skill: string;
    readonly description: string;
    readonly args?: string;
    readonly layer: Layer;
    readonly digest: string;
    readonly mode: GateMode;
    readonly meaning: string;
    readonly tools: ClientTools;
    readonly execution?: {
        readonly type: string;
        readonly language?: string;
        readonly tools?: readonly string[];
    };
    readonly scripts: readonly string[];
    readonly unusableScripts: readonly string[];
    readonly hooks: readonly string[];
    readonly toolsets: readonly string[];
    readonly runner?: Pick<ConsentRunner, 'name' | 'isolation' | 'isolated' | 'network'>;
}

export interface ClientTools {
    readonly allowed: readonly string[] | null;
    readonly assumed: boolean;
    readonly disallowed: readonly string[];
    readonly unmatched: readonly string[];
    readonly leavesNone: boolean;
    readonly runsCode: readonly string[];
    readonly unknownPrograms: readonly string[];
}

export interface ConfigurationProblem {
    readonly key: string;
    readonly message: string;
    readonly at?: string;
    readonly line?: number;
}

export interface ConsentAnswer extends ConsentDecision {
    readonly requestId: string;
}

export interface ConsentDecision {
    readonly approved: boolean;
    readonly reason?: string;
}

export interface ConsentExecution {
    readonly type: 'composite' | 'script' | 'template';
    readonly language?: string;
    readonly tools?: readonly string[];
}

export type ConsentHandler = (request: ConsentRequest, options: {
    readonly signal: AbortSignal;
}) => boolean | ConsentAnswer | Promise<boolean | ConsentAnswer>;

export type ConsentRequest = SkillConsentRequest | CallConsentRequest;

export interface ConsentRunner {
    readonly name: string;
    readonly isolation: string;
    readonly isolated: boolean;
    readonly network: boolean;
    readonly notes: readonly string[];
}

export interface Counters extends AuditSink {
    write(event: AuditEvent): void;
    byModel(): readonly ModelCounters[];
}

export interface Diagnostic {
    readonly code: DiagnosticCode;
    readonly severity: 'error' | 'warning' | 'info';
    readonly path: string;
    readonly line?: number;
    readonly message: string;
    readonly hint?: string;
}

export type DiagnosticCode = keyof typeof MANIFEST_CODES | keyof typeof ADVICE_CODES | keyof typeof CATALOG_CODES | keyof typeof SOURCE_CODES | keyof typeof SEARCH_CODES;

export type Execution = {
    readonly type: 'instruction';
    readonly name: string;
    readonly content: string;
} | {
    readonly type: 'template';
    readonly name: string;
    readonly text: string;
} | {
    readonly type: 'composite';
    readonly name: string;
    readonly plan: readonly PlanStep[];
    readonly run?: PlanRun;
} | {
    readonly type: 'script';
    readonly name: string;
    readonly interpreter: string;
    readonly result: ScriptResult;
};

export interface ExecutionFailure {
    readonly ok: false;
    readonly code: ExecutionFailureCode;
    readonly reason: string;
}

export type ExecutionFailureCode =
'INPUT_INVALID'
 | 'DEFINITION_INVALID'
 | 'TEMPLATE_FAILED' | ScriptFailureCode;

export type ExecutionOutcome = {
    readonly ok: true;
    readonly value: Execution;
} | ExecutionFailure;

export interface ExecutionRequest {
    readonly name: string;
    readonly definition: SkillDefinition;
    readonly parameters?: Schema | undefined;
    readonly input?: unknown;
    readonly args?: string | undefined;
    readonly files?: readonly ScriptFile[] | undefined;
    readonly signal?: AbortSignal | undefined;
}

export interface Executor {
    check(request: ExecutionRequest): Promise<ExecutionFailure | undefined>;
    execute(request: ExecutionRequest): Promise<ExecutionOutcome>;
}

export interface ExecutorOptions {
    readonly runner?: ScriptRunner | undefined;
    readonly limits?: Partial<ScriptLimits> | undefined;
    readonly environment?: Readonly<Record<string, string>> | undefined;
    readonly network?: boolean | undefined;
    readonly runStep?: PlanStepRunner | undefined;
}

export interface Explanation {
    readonly name: string;
    readonly verdict: SkillFate | 'unknown';
    readonly candidates: readonly Candidate[];
    readonly nearest: readonly string[];
    readonly unseen: readonly Diagnostic[];
    readonly text: string;
}

export interface FolderEntry {
    readonly path: string;
    readonly size: number;
    readonly executable: boolean;
}

export interface FolderListing extends FolderFiles {
    readonly withheld: FolderFiles;
}

export interface FolderSurvey {
    readonly manifest: Uint8Array;
    readonly listing: FolderListing;
    readonly digest: string;
    readonly whole: boolean;
    readonly files: ReadonlyMap<string, string>;
}

export interface ForkRequest {
    readonly skill: string;
    readonly agent?: string;
    readonly model?: string;
    readonly instructions: string;
    readonly prompt: string;
    readonly message: string;
    readonly system: string;
    readonly session: Session;
    readonly callId: string;
    readonly signal: AbortSignal;
}

export interface ForkResult {
    readonly text: string;
    readonly usage?: {
        readonly inputTokens?: number;
        readonly outputTokens?: number;
    };
}

export type ForkRunner = (request: ForkRequest) => Promise<ForkResult | string>;

export interface FoundSkill {
    readonly folder: SkillFolder;
    readonly folderName: string;
    readonly part?: string;
    readonly origin?: string;
    readonly path: string;
    readonly fileName: string;
    readonly size: number;
    head(length: number): Uint8Array;
}

export interface FunctionTool extends ToolDefinition {
    execute(input: unknown, options: {
        readonly callId: string;
        readonly signal?: AbortSignal;
    }): unknown;
}

export type GateComposition = 'narrow' | 'top';

export type GateMode = 'restrict' | 'preapprove' | 'advisory';

export interface HookResult {
    readonly ok: boolean;
    readonly output?: string;
}

export interface HookRun {
    readonly phase: 'pre' | 'post';
    readonly command: string;
    readonly skill: string;
    readonly location: string;
    readonly digest: string;
    readonly args?: string;
    readonly session: string;
    readonly signal: AbortSignal;
    readonly read: (path: string) => Promise<Uint8Array>;
    readonly files: () => Promise<readonly ScriptFile[]>;
}

export type HookRunner = (run: HookRun) => HookResult | Promise<HookResult>;

export interface HostPolicy {
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    readonly ask?: readonly string[];
    readonly protect?: readonly string[];
    readonly programs?: ProgramPolicy;
}

export interface HostTool extends Partial<ToolArgument> {
    readonly as?: string | readonly string[] | Readonly<Record<string, string>>;
    readonly by?: string;
    readonly shared?: boolean;
    readonly root?: string | false;
}

export type HostTools = Readonly<Record<string, string | HostTool | false>>;

export interface HostToolsOptions {
    readonly tools?: HostTools;
    readonly toolRoot?: string;
}

export interface Invocation {
    readonly id?: string;
    readonly skill: string;
    readonly args?: string;
}

export type Layer = 'enterprise' | 'personal' | 'project' | 'plugin' | 'bundled';

export type ListedSkill = Pick<Skill, 'name' | 'path'> & {
    readonly manifest: Pick<Skill['manifest'], 'description' | 'whenToUse'> & ParameterFields;
};

export interface ListingBudget {
    readonly contextWindow?: number;
    readonly share?: number;
    readonly countTokens?: TokenCounter;
    readonly keep?: readonly string[];
}

export interface ListingCuts {
    readonly details: readonly ListingDetail[];
    readonly shortened: readonly string[];
    readonly withoutDescription: readonly string[];
    readonly dropped: readonly string[];
    readonly tokens?: number;
    readonly budget?: number;
}

export type ListingDetail = 'white-space' | 'enumeration' | 'arguments' | 'locations';

export type ListingStyle = keyof typeof TABLE;

export interface LoadedSkill extends SkillDocument {
    readonly skill: Skill;
    readonly manifest: NonNullable<SkillDocument['manifest']>;
    readonly body: string;
}

export interface Manifest {
    readonly name: string;
    readonly description: string;
    readonly license?: string;
    readonly compatibility?: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly allowedTools?: readonly ToolRule[];
    readonly type: SkillType;
    readonly status: SkillStatus;
    readonly model?: string;
    readonly context: 'inherit' | 'fork';
    readonly agent?: string;
    readonly hooks: Readonly<{
        pre: readonly string[];
        post: readonly string[];
    }>;
    readonly priority: number;
    readonly tags: readonly string[];
    readonly scope: Readonly<{
        agents?: readonly string[];
        tenants?: readonly string[];
        environments?: readonly string[];
    }>;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly source?: string;
    readonly createdBy?: string;
    readonly toolsets: readonly string[];
    readonly triggers: Readonly<{
        keywords: readonly string[];
        verbs: readonly string[];
        patterns: readonly string[];
    }>;
    readonly argumentHint?: string;
    readonly whenToUse?: string;
    readonly disableModelInvocation: boolean;
    readonly userInvocable: boolean;
    readonly disallowedTools?: readonly ToolRule[];
    readonly extra: Readonly<Record<string, unknown>>;
}

export interface MatchRequest {
    readonly message: string;
    readonly skills: readonly Skill[];
    readonly limit: number;
    readonly signal: AbortSignal;
}

export type MatchedContent = 'agreed' | 'all' | 'none';

export type MemoryFile = string | Uint8Array | {
    readonly content: string | Uint8Array;
    readonly executable: boolean;
};

export interface MemorySessionsOptions {
    readonly tenant?: string;
    readonly now?: () => number;
}

export interface MemorySourceOptions {
    readonly layer: Layer;
    readonly id?: string;
    readonly skills: Readonly<Record<string, Readonly<Record<string, MemoryFile>>>>;
    readonly origins?: Readonly<Record<string, string>> | undefined;
}

export interface ModelCounters {
    readonly model: string;
    readonly activations: number;
    readonly pathFailures: number;
    readonly scriptReads: number;
    readonly violations: number;
    readonly scripts: {
        readonly started: number;
        readonly succeeded: number;
        readonly failed: number;
        readonly successRate?: number;
    };
    readonly tokens: TokenCounts;
    readonly skills: readonly SkillCounters[];
}

export interface Mount {
    readonly path: string;
    readonly location: string;
}

export interface MountRequest {
    readonly task: string;
    readonly skill: string;
    readonly digest: string;
    readonly files: readonly MountFile[];
}

export type Outcome<T = unknown> = {
    readonly ok: true;
    readonly value: T;
    readonly text?: string;
} | {
    readonly ok: false;
    readonly refusal: Refusal;
    readonly text: string;
};

export interface PlanRun {
    readonly ok: boolean;
    readonly results: readonly StepResult[];
}

export interface PlanStep {
    readonly step: number;
    readonly name?: string;
    readonly tool: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly description?: string;
}

export type PlanStepRunner = (step: PlanStep, options: {
    readonly signal: AbortSignal;
}) => Promise<StepOutcome>;

export type Profile = 'strict' | 'default' | 'lenient';

export interface ReadOptions {
    readonly from?: number;
    readonly to?: number;
    readonly maxBytes?: number;
}

export interface Refusal {
    readonly code: RefusalCode;
    readonly reason: string;
    readonly allowedTools?: readonly string[];
    readonly refusedBy?: RefusedBy;
}

export type RefusalCode = 'TOOL_NOT_ALLOWED' | 'TOOL_UNKNOWN' | 'SCRIPT_READ_BLOCKED' | 'INPUT_INVALID' | 'SKILL_NOT_FOUND' | 'SKILL_BROKEN' | 'SKILL_NOT_ACTIVE' | 'SKILL_NOT_ON_TOP'
 | 'SKILL_NOT_ADMITTED'
 | 'SKILL_PINNED'
 | 'SKILL_NOT_INVOCABLE'
 | 'FORK_UNAVAILABLE'
 | 'FORK_FAILED'
 | 'FORK_TOO_DEEP' | 'CONSENT_DENIED'
 | 'CALL_DENIED'
 | 'HOOK_FAILED'
 | 'HOOK_UNAVAILABLE'
 | 'TOOLSET_FAILED'
 | 'MOUNT_FAILED'
 | 'TEMPLATE_FAILED'
 | 'PLAN_CYCLE'
 | 'PLAN_TOO_LARGE' | 'RESOURCE_NOT_FOUND' | 'RESOURCE_REFUSED'
 | 'SCRIPT_UNAVAILABLE'
 | 'SCRIPT_CHANGED'
 | 'SCRIPT_DANGEROUS'
 | 'SCRIPT_FAILED'
 | 'AUDIT_UNAVAILABLE' | 'SESSION_ENDED';

export interface RefusedBy {
    readonly by: 'allowed-tools' | 'disallowed-tools' | 'script' | 'policy.allow' | 'policy.deny' | 'policy.protect';
    readonly skill?: string;
    readonly rule?: string;
}

export type ReloadListener = (result: ReloadResult) => void;

export interface ReloadResult extends CatalogDifference {
    readonly skipped: boolean;
    readonly kept: readonly string[];
    readonly diagnostics: readonly Diagnostic[];
}

export interface Repertoire {
    readonly catalog: Catalog;
    readonly reload: (options?: {
        readonly force?: boolean;
    }) => Promise<ReloadResult>;
    readonly onChange: (listener: ReloadListener) => () => void;
    readonly load: (name: string, viewer?: Viewer) => Promise<LoadedSkill>;
    readonly invalidate: (name?: string) => void;
    readonly explain: (name: string, viewer?: Viewer, options?: {
        readonly hostTools?: readonly string[];
    }) => Explanation;
    readonly provider: (viewer?: Viewer) => SkillProvider;
    readonly tiers: (viewer?: Viewer) => SkillTiers;
    readonly close: () => Promise<void>;
    readonly onClose: (listener: () => Promise<void>) => () => void;
    readonly [Symbol.asyncDispose]: () => Promise<void>;
    readonly openSession: (options?: SessionOptions) => Session;
    readonly runTask: <T>(options: SessionOptions, task: (session: Session) => Promise<T>) => Promise<T>;
    readonly advance: (saved: SavedSession | undefined, changes: readonly SessionChange[] | SealedChanges) => SavedSession | undefined;
    readonly sealChanges: (session: string, changes: readonly SessionChange[]) => SealedChanges;
}

export interface RepertoireOptions extends OpenCatalogOptions, GateOptions, HostToolsOptions {
    readonly cacheTtl?: number;
    readonly admit?: Admission | undefined;
    readonly enabled?: boolean;
    readonly style?: ListingStyle;
    readonly contextWindow?: number;
    readonly window?: WindowOptions | false;
    readonly countTokens?: TokenCounter;
    readonly listingBudget?: ListingBudget | false;
    readonly search?: SearchMode;
    readonly prepareList?: boolean;
    readonly toolNames?: Partial<SkillToolNames>;
    readonly stateKey?: string;
    readonly runner?: ScriptRunner | undefined;
    readonly scripts?: ScriptOptions | undefined;
    readonly hooks?: HookRunner | HookStyle | undefined;
    readonly audit?: AuditSink | readonly AuditSink[] | AuditOptions;
    readonly toolsets?: ToolsetOptions | undefined;
    readonly mounts?: SkillMounts | undefined;
}

export type Resource = {
    readonly kind: 'text';
    readonly path: string;
    readonly text: string;
    readonly from: number;
    readonly to: number;
    readonly lines: number;
} | {
    readonly kind: 'binary';
    readonly path: string;
    readonly bytes: Uint8Array;
};

export interface ResourceGroups {
    readonly scripts: readonly FolderEntry[];
    readonly references: readonly FolderEntry[];
    readonly assets: readonly FolderEntry[];
    readonly other: readonly FolderEntry[];
}

export interface SavedSession {
    readonly state: SessionState;
    readonly seal: string;
}

export interface ScriptCheck {
    readonly path: string;
    readonly interpreter?: string;
    readonly problem?: string;
    readonly missing?: readonly ScriptNeed[];
    readonly unknown?: readonly number[];
}

export type ScriptEnd =
'exited'
 | 'signalled'
 | 'timed-out'
 | 'aborted';

export interface ScriptFile {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly executable: boolean;
}

export interface ScriptInspection {
    readonly refused?: readonly ScriptRefusal[];
    readonly missing: readonly ScriptNeed[];
    readonly unknown: readonly number[];
}

export interface ScriptIsolation {
    readonly name: string;
    readonly isolated: boolean;
    readonly notes: readonly string[];
}

export interface ScriptJob {
    readonly interpreter: string;
    readonly interpreterArgs: readonly string[];
    readonly script: string;
    readonly args: readonly string[];
    readonly files: readonly ScriptFile[];
    readonly stdin?: Uint8Array;
    readonly environment: Readonly<Record<string, string>>;
    readonly network: boolean;
    readonly limits: ScriptLimits;
    readonly signal: AbortSignal;
}

export interface ScriptLimits {
    readonly timeoutMs: number;
    readonly maxOutputBytes: number;
    readonly maxProcesses: number;
    readonly maxFileBytes: number;
    readonly maxMemoryBytes?: number;
}

export interface ScriptNeed {
    readonly kind: 'command' | 'module';
    readonly name: string;
    readonly line: number;
    readonly certain: boolean;
}

export interface ScriptOptions {
    readonly limits?: Partial<ScriptLimits>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly network?: boolean;
}

export interface ScriptOutput {
    readonly skill: string;
    readonly path?: string;
    readonly interpreter: string;
    readonly end: ScriptEnd;
    readonly exitCode?: number;
    readonly signalName?: string;
    readonly stdout: string;
    readonly stderr: string;
    readonly truncated: boolean;
    readonly durationMs: number;
}

export interface ScriptRefusal {
    readonly path: string;
    readonly line: number;
    readonly reason: string;
}

export interface ScriptResult {
    readonly end: ScriptEnd;
    readonly exitCode?: number;
    readonly signalName?: string;
    readonly stdout: Uint8Array;
    readonly stderr: Uint8Array;
    readonly dropped: {
        readonly stdout: number;
        readonly stderr: number;
    };
    readonly durationMs: number;
}

export interface ScriptRunner {
    readonly name: string;
    readonly isolation: ScriptIsolation;
    supports(interpreter: string, args?: readonly string[]): true | string;
    inspect?(script: Pick<ScriptJob, 'interpreter' | 'script' | 'files'>): Promise<ScriptInspection>;
    run(job: ScriptJob): Promise<ScriptResult>;
    close?(): Promise<void>;
}

export type SearchField = 'name' | 'description' | 'tags' | 'body';

export interface SearchMatch {
    readonly field: SearchField;
    readonly words: readonly string[];
}

export type SearchMode = 'auto' | 'always' | 'never';

export interface SearchOptions {
    readonly limit?: number;
    readonly view?: Viewer;
    readonly signal?: AbortSignal | undefined;
}

export type SearchSkills = (query: string | readonly string[], options?: SearchOptions) => Promise<SkillSearch>;

export interface Session {
    readonly id: string;
    readonly state: SessionState;
    readonly ready: () => Promise<void>;
    readonly beginStep: (hostTools: Iterable<string>, options?: StepOptions) => StepView;
    readonly skillModel: <Model>(resolve: ((name: string) => Model | undefined) | undefined) => Model | undefined;
    readonly fitWindow: (request: () => WindowRequest) => Promise<WindowFit | undefined>;
    readonly recordUsage: (usage: TokenUsage) => void;
    readonly beginTurn: (message: string, options?: TurnOptions) => Promise<Turn>;
    readonly invocation: (message: string, id: string) => (Invocation & {
        readonly id: string;
    }) | undefined;
    readonly invoke: (invocation: Invocation, options?: CallOptions) => Promise<Outcome>;
    readonly reminder: (isShown: (text: string) => boolean) => Promise<string | undefined>;
    readonly consentFor: (call: ToolCall | (Invocation & {
        readonly id: string;
    }), options?: Pick<CallOptions, 'signal' | 'message'>) => Promise<ConsentRequest | undefined>;
    readonly ask: (request: ConsentRequest, handler: ConsentHandler, options?: {
        readonly signal?: AbortSignal | undefined;
    }) => Promise<void>;
    readonly question: <T>(ask: (options: {
        readonly signal: AbortSignal;
    }) => T | PromiseLike<T>, options?: {
        readonly signal?: AbortSignal | undefined;
    }) => Promise<T>;
    readonly answer: (answer: ConsentAnswer) => void;
    readonly call: (call: ToolCall, execute: (call: ToolCall) => unknown, options?: CallOptions) => Promise<Outcome>;
    readonly refusalOf: (call: ToolCall) => Promise<Extract<Outcome, {
        readonly ok: false;
    }> | undefined>;
    readonly isPreapproved: (call: ToolCall) => Promise<boolean>;
    readonly asksAbout: (call: ToolCall) => Promise<boolean>;
    readonly toolName: (name: string) => string | undefined;
    readonly resolvePath: (path: string) => string;
    readonly deniedText: (call: ToolCall, reason?: string) => string | undefined;
    readonly save: () => SavedSession;
    readonly takeChanges: () => readonly SessionChange[];
    readonly end: () => Promise<void>;
    readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export interface SessionLease {
    readonly session: string;
    readonly token: number;
}

export interface SessionLeaseOptions {
    readonly duration: number;
}

export interface SessionOptions extends GateOptions, HostToolsOptions, TurnSettingsOptions {
    readonly id?: string;
    readonly agent?: string;
    readonly tenant?: string;
    readonly environment?: string;
    readonly skills?: readonly string[];
    readonly consent?: ConsentHandler | undefined;
    readonly consentTimeout?: number;
    readonly match?: TurnMatching | SkillMatcher;
    readonly cwd?: string | undefined;
    readonly runStep?: StepRunner | undefined;
    readonly hostTools?: readonly string[];
    readonly model?: string | undefined;
    readonly correlationId?: string;
    readonly onProblem?: (problem: SessionProblem) => void;
    readonly saved?: SavedSession;
    readonly checkpoint?: (() => Promise<void>) | undefined;
    readonly until?: AbortSignal | undefined;
}

export interface SessionProblem {
    readonly code: SessionProblemCode;
    readonly message: string;
    readonly skill?: string;
    readonly cause?: unknown;
}

export type SessionProblemCode =
'HOOK_FAILED'
 | 'TOOLSETS_NOT_LOADED'
 | 'SESSION_NOT_SAVED'
 | 'ANSWER_UNKNOWN'
 | 'UNMOUNT_FAILED'
 | 'NO_TOOL_LEFT'
 | 'NO_SCRIPT_RUNNER'
 | 'POLICY_UNMATCHED'
 | 'MODEL_NOT_USED'
 | 'MATCH_FAILED'
 | 'SEARCH_INCOMPLETE'
 | 'AUDIT_FAILED'
 | 'SUMMARY_FAILED'
 | 'WINDOW_EXCEEDED'
 | 'SKILL_DEACTIVATED'
 | 'WINDOW_LEFT_ALONE'
 | 'TOKENS_NOT_COUNTED'
 | 'SESSION_ENDED_EARLY';

export interface SessionRecord {
    readonly version: number;
    readonly saved: unknown;
}

export interface SessionSaveOptions {
    readonly ifVersion: number;
    readonly timeToLive: number;
}

export interface SessionStore {
    readonly tenant: string;
    acquire(session: string, options: SessionLeaseOptions): Promise<SessionLease | undefined>;
    renew(lease: SessionLease, options: SessionLeaseOptions): Promise<boolean>;
    release(lease: SessionLease): Promise<void>;
    load(session: string): Promise<SessionRecord | undefined>;
    save(lease: SessionLease, saved: unknown, options: SessionSaveOptions): Promise<void>;
    delete(lease: SessionLease): Promise<void>;
}

export interface Skill {
    readonly name: string;
    readonly manifest: Manifest;
    readonly layer: Layer;
    readonly source: string;
    readonly origin?: string | undefined;
    readonly location: string;
    readonly path: string;
    readonly folder: SkillFolder;
}

export interface SkillConsentRequest {
    readonly id: string;
    readonly callId: string;
    readonly session: string;
    readonly skill: string;
    readonly tool?: undefined;
    readonly input?: undefined;
    readonly rule?: undefined;
    readonly args?: string;
    readonly description: string;
    readonly layer: Layer;
    readonly source: string;
    readonly location: string;
    readonly digest: string;
    readonly allowedTools?: readonly string[];
    readonly mode?: Exclude<GateMode, 'restrict'>;
    readonly meaning: string;
    readonly assumedTools?: true;
    readonly unmatchedTools?: readonly string[];
    readonly leavesNoTool?: true;
    readonly disallowedTools?: readonly string[];
    readonly runsCode?: readonly string[];
    readonly unknownPrograms?: readonly string[];
    readonly rulesWithoutEffect?: readonly string[];
    readonly scripts: readonly string[];
    readonly execution?: ConsentExecution;
    readonly runner?: ConsentRunner;
    readonly scriptChecks?: readonly ScriptCheck[];
    readonly hooks: readonly string[];
    readonly toolsets: readonly string[];
    readonly text: string;
}

export interface SkillContent {
    readonly manifest: Pick<Manifest, 'name' | 'description'> & Partial<Manifest>;
    readonly body?: string;
    readonly definition?: SkillDefinition;
}

export interface SkillCounters {
    readonly name: string;
    readonly executions: number;
    readonly tokens: TokenCounts;
    readonly tokensPerExecution?: number;
}

export type SkillDefinition = {
    readonly type: 'instruction';
    readonly content: string;
} | {
    readonly type: 'composite';
    readonly steps: readonly CompositeStep[];
} | {
    readonly type: 'script';
    readonly script: string;
    readonly language?: string;
} | {
    readonly type: 'template';
    readonly template: string;
};

export interface SkillDemands {
    readonly allowedTools?: readonly string[];
    readonly disallowedTools: readonly string[];
    readonly runsCode: readonly string[];
    readonly unknownPrograms: readonly string[];
    readonly rulesWithoutEffect: readonly string[];
    readonly scripts: readonly ScriptCheck[];
    readonly hooks: readonly string[];
    readonly toolsets: readonly string[];
    readonly executes?: 'composite' | 'script' | 'template';
    readonly hosts: readonly string[];
    readonly programs: readonly string[];
}

export interface SkillDocument {
    readonly manifest?: Manifest;
    readonly diagnostics: readonly Diagnostic[];
    readonly body?: string;
    readonly bodyLine?: number;
    readonly definition?: SkillDefinition;
}

export interface SkillEmbedder {
    embed(texts: readonly string[], signal: AbortSignal): PromiseLike<readonly ArrayLike<number>[]>;
    embedQuery?(text: string, signal: AbortSignal): PromiseLike<ArrayLike<number>>;
    readonly bodyChars?: number;
}

export type SkillErrorCode =
'SKILL_NOT_FOUND'
 | 'SKILL_BROKEN'
 | 'RESOURCE_PATH_INVALID'
 | 'RESOURCE_NOT_FOUND'
 | 'RESOURCE_REFUSED'
 | 'RESOURCE_TOO_LARGE'
 | 'STATE_INVALID'
 | 'STATE_TAMPERED'
 | 'MANIFEST_INVALID'
 | 'CONFIGURATION_INVALID'
 | 'FOLDER_NOT_WRITABLE'
 | 'SESSION_ENDED'
 | 'TIMED_OUT'
 | 'SCRIPT_NOT_STARTED'
 | 'STORE_CONFLICT'
 | 'STATE_OUTDATED'
 | 'SESSION_IN_USE'
 | 'LEASE_LOST'
 | 'STORAGE_UNAVAILABLE'
 | 'STORAGE_UNSUITABLE'
 | 'LOCK_INVALID'
 | 'LOCK_MISSING'
 | 'LOCK_MISMATCH'
 | 'ORIGIN_INVALID'
 | 'ORIGIN_UNREACHABLE'
 | 'ORIGIN_REFUSED';

export interface SkillErrorDetails {
    readonly path?: string;
    readonly line?: number;
    readonly nearest?: readonly string[];
    readonly problems?: readonly ConfigurationProblem[];
    readonly cause?: unknown;
}

export type SkillFiles = ReadonlyMap<string, StoredFile>;

export interface SkillFolder {
    readonly location: string;
    readonly alias?: string;
    readonly onDemand?: boolean;
    readManifest(): Promise<Uint8Array>;
    list(): Promise<FolderListing>;
    read(path: string, options?: {
        readonly maxBytes?: number;
        readonly withheld?: boolean;
    }): Promise<Uint8Array>;
    survey?(): Promise<FolderSurvey | undefined>;
}

export interface SkillHit {
    readonly name: string;
    readonly score: number;
    readonly why: readonly SearchMatch[];
    readonly similarity?: number;
}

export interface SkillItem {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly location: string;
    readonly content?: string;
}

export interface SkillItemRequest {
    readonly query?: string;
    readonly limit?: number;
    readonly signal?: AbortSignal;
}

export type SkillMatcher = (visible: readonly Skill[]) => readonly string[];

export interface SkillMetadata {
    readonly name: string;
    readonly layer: Layer;
    readonly source: string;
    readonly location: string;
    readonly path: string;
    readonly manifest: Manifest;
}

export interface SkillMounts {
    mount(request: MountRequest): Promise<Mount>;
    unmount(task: string, skill?: string): Promise<void>;
}

export interface SkillProvider {
    items(request: SkillItemRequest): Promise<readonly SkillItem[]>;
}

export interface SkillSearch {
    readonly hits: readonly SkillHit[];
    readonly diagnostics: readonly Diagnostic[];
}

export interface SkillSource {
    readonly id: string;
    readonly layer: Layer;
    scan(visitor: SkillVisitor): Promise<void>;
    changes?(): number;
    watch?(listener: SourceListener): Promise<SourceWatch>;
}

export interface SkillStore extends SkillSource {
    save(skill: SkillContent, options?: StoreWriteOptions): Promise<StoredRevision>;
    get(name: string): Promise<StoredSkill>;
    listActive(): Promise<readonly StoredSkill[]>;
    delete(name: string, options?: StoreWriteOptions): Promise<void>;
    saveResource(name: string, path: string, bytes: Uint8Array | string, options?: StoreResourceOptions): Promise<StoredRevision>;
    replace(name: string, files: SkillFiles, options?: StoreReplaceOptions): Promise<StoredRevision>;
}

export interface SkillTiers {
    metadata(): readonly SkillMetadata[];
    instructions(name: string): Promise<string | null>;
    resources(name: string): Promise<ResourceGroups | null>;
    resource(name: string, path: string, options?: ReadOptions): Promise<Resource | null>;
}

export interface SkillToolNames {
    readonly activate: string;
    readonly deactivate: string;
    readonly readResource: string;
    readonly runScript: string;
    readonly search: string;
}

export interface SkillVisitor {
    skill(found: FoundSkill): void;
    diagnostic(diagnostic: Diagnostic): void;
}

export interface SourceListener {
    changed(): void;
    diagnostic(diagnostic: Diagnostic): void;
}

export interface SourceWatch {
    close(): Promise<void>;
}

export type StepOutcome = Pick<StepResult, 'ok' | 'value' | 'error'>;

export interface StepResult {
    readonly step: number;
    readonly tool: string;
    readonly ok: boolean;
    readonly value?: unknown;
    readonly error?: {
        readonly code?: string;
        readonly message: string;
    };
}

export type StepRunner = (call: ToolCall, options: {
    readonly signal: AbortSignal;
}) => unknown;

export interface StepView {
    readonly tools: readonly ToolDefinition[];
    readonly perSkill: readonly ToolDefinition[];
    readonly instructions: string;
    readonly cuts: ListingCuts;
    system(own: string | undefined): string | undefined;
    hides(hostTool: string): boolean;
}

export interface StoreReplaceOptions extends StoreWriteOptions {
    readonly origin?: string;
}

export interface StoreResourceOptions extends StoreWriteOptions {
    readonly executable?: boolean;
}

export interface StoreWriteOptions {
    readonly ifRevision?: string | null;
}

export interface StoredFile {
    readonly bytes: Uint8Array;
    readonly executable?: boolean;
}

export interface StoredRevision {
    readonly revision: string;
}

export interface StoredSession {
    readonly session: Session;
    readonly signal: AbortSignal;
    readonly token: number;
    readonly version: number;
    save(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface StoredSessionOptions extends Omit<SessionOptions, 'id' | 'saved' | 'checkpoint' | 'until'> {
    readonly store: SessionStore;
    readonly id: string;
    readonly lease?: number;
    readonly wait?: number;
    readonly timeToLive?: number;
    readonly storeTimeout?: number;
    readonly atLeast?: number;
    readonly signal?: AbortSignal | undefined;
}

export interface StoredSkill {
    readonly name: string;
    readonly revision: string;
    readonly manifest: Manifest;
    readonly body: string;
    readonly definition: SkillDefinition;
    readonly folder: SkillFolder;
}

export interface SummarizedMessage {
    readonly role: 'user' | 'assistant' | 'tool';
    readonly text: string;
}

export type Summarizer = (request: SummaryRequest, options: SummaryOptions) => Promise<Summary | string> | Summary | string;

export interface Summary {
    readonly text: string;
    readonly usage?: {
        readonly inputTokens?: number | undefined;
        readonly outputTokens?: number | undefined;
    };
}

export interface SummaryOptions {
    readonly signal: AbortSignal;
    readonly maxTokens: number;
}

export interface SummaryRequest {
    readonly messages: readonly SummarizedMessage[];
    readonly previous?: string;
    readonly instructions: string;
    readonly prompt: string;
}

export type TokenCounter = (text: string) => number;

export interface TokenUsage {
    readonly inputTokens?: number | undefined;
    readonly outputTokens?: number | undefined;
}

export interface ToolArgument {
    readonly argument: string | readonly string[];
    readonly kind: 'shell' | 'path' | 'url' | 'sql' | 'text';
    readonly reads?: boolean | 'below';
    readonly shell?: 'posix' | 'other';
    readonly harmless?: readonly string[];
    readonly program?: {
        readonly name: string;
        readonly args: string;
    };
}

export interface ToolCall {
    readonly id: string;
    readonly tool: string;
    readonly input: unknown;
}

export interface ToolDefinition {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
    readonly group?: string;
    readonly risk?: 'safe' | 'risky';
}

export interface ToolRule {
    readonly tool: string;
    readonly pattern?: string;
}

export interface ToolsetContext {
    readonly skill: string;
    readonly location: string;
    readonly digest: string;
}

export interface ToolsetLoader {
    load(request: ToolsetRequest): Promise<unknown>;
    close?(): Promise<void>;
}

export interface ToolsetOptions {
    readonly loader: ToolsetLoader;
    readonly layers: readonly Layer[];
    readonly callTimeout?: number;
}

export interface ToolsetRequest {
    readonly skill: string;
    readonly location: string;
    readonly digest: string;
    readonly module: string;
    readonly export: string;
    readonly files: readonly MountFile[];
}

export type TriggerMode = 'off' | 'suggest' | 'activate';

export interface Turn {
    readonly invoked?: TurnActivation;
    readonly activated: readonly TurnActivation[];
    readonly suggested: readonly string[];
    readonly text?: string;
}

export interface TurnMatching {
    readonly limit?: number;
    readonly find?: (request: MatchRequest) => readonly string[] | PromiseLike<readonly string[]>;
    readonly content?: MatchedContent;
}

export interface Viewer {
    readonly agent?: string | undefined;
    readonly tenant?: string | undefined;
    readonly environment?: string | undefined;
    readonly skills?: readonly string[] | undefined;
    readonly person?: boolean | undefined;
}

export interface WatchOptions {
    readonly debounce?: number;
    readonly maxWait?: number;
}

export interface WellKnownTool {
    readonly names: readonly string[];
    readonly as?: string | readonly string[];
    readonly by?: string;
    readonly uses?: Readonly<Record<string, string>>;
    readonly beside?: readonly string[];
    readonly maybe?: readonly string[];
    readonly command?: string;
    readonly argument?: ToolArgument;
}

export interface WindowOptions {
    readonly summarizeAbove?: number;
    readonly keepMessages?: number;
    readonly evictAbove?: number;
    readonly reduceAbove?: number;
    readonly keepFewestMessages?: number;
    readonly keepSkills?: number;
    readonly lowerSkills?: 'keep' | 'deactivate';
    readonly summarize?: Summarizer | false;
    readonly summaryTokens?: number;
    readonly summaryTimeout?: number;
}

// Not exported, but part of the above

const ADVICE_CODES: {
    readonly BODY_LONG: 'The body has more lines than the standard advises.';
    readonly BODY_MANY_TOKENS: 'The body has more tokens, by estimate, than the standard advises.';
    readonly LINK_BROKEN: "A link leads to nothing that is available in the skill's folder.";
    readonly REFERENCE_DEEP: 'A file is reached only through another file, not from SKILL.md itself.';
    readonly SCRIPT_NO_SHEBANG: 'A script does not begin with "#!" and its interpreter.';
    readonly SCRIPT_NOT_EXECUTABLE: 'A script is not executable.';
    readonly RULE_RUNS_CODE: 'A rule of allowed-tools hands out a program that runs any code by its nature.';
    readonly RULE_PERMITS_NOTHING: 'A rule of allowed-tools permits no call at all.';
    readonly TOOLSET_MISSING: 'A module that `toolsets` names is not in the folder.';
    readonly FOLDER_NOT_WHOLE: 'The folder holds what no digest covers, so that every activation asks for consent again.';
};

interface AdviceOptions {
    readonly path?: string;
}

type AuditOutcome = 'started' | 'succeeded' | 'failed' | 'aborted' | 'suspended' | 'refused' | 'allowed';

interface AuditedSkill {
    readonly name: string;
    readonly digest?: string;
    readonly layer: Layer;
    readonly source: string;
    readonly allowedTools?: readonly string[];
    readonly session?: string;
}

interface BrokenSkill {
    readonly declared?: string;
    readonly folderName: string;
    readonly path: string;
    readonly layer: Layer;
    readonly source: string;
}

const CATALOG_CODES: {
    readonly SKILL_SHADOWED: 'Another skill of the same name is used instead.';
    readonly SKILL_NOT_ADMITTED: 'A skill asks for more than the host admits, so it was not loaded.';
    readonly SOURCE_FAILED: 'A source failed as a whole; the skills that it had shown before are kept.';
    readonly SKILL_KEPT: 'A skill cannot be read any more, and is kept as it was read last.';
    readonly RELOAD_FAILED: 'A reload that a change called for failed; the catalog before it stays.';
    readonly WATCH_LIMITED: 'The system cannot report more changes, so the source is scanned for changes at intervals instead.';
    readonly WATCH_FAILED: 'A source cannot be watched, so a change of it is seen at the next reload only.';
};

interface Candidate {
    readonly fate: SkillFate;
    readonly path: string;
    readonly source?: string;
    readonly layer?: Layer;
    readonly reasons: readonly FateReason[];
}

interface CatalogDifference {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
}

interface CatalogOptions {
    readonly sources: readonly SkillSource[];
    readonly profile?: Profile;
    readonly layers?: readonly Layer[];
    readonly collision?: 'first' | 'last';
    readonly loadTimeout?: number;
    readonly embedder?: SkillEmbedder | undefined;
}

interface CompositeStep {
    readonly name?: string;
    readonly tool: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly description?: string;
}

type FateReason = {
    readonly type: 'shadowed';
    readonly by: {
        readonly path: string;
        readonly source: string;
    };
    readonly decided: Precedence;
} | {
    readonly type: 'hidden';
    readonly rule: HidingRule;
} | {
    readonly type: 'inactive';
    readonly status: SkillStatus;
}
 | {
    readonly type: 'refused';
    readonly reason: string;
}
 | {
    readonly type: 'assumed';
    readonly rules: readonly string[];
}
 | {
    readonly type: 'cut';
    readonly cut: 'dropped' | 'withoutDescription' | 'shortened';
}
 | {
    readonly type: 'unmatched';
    readonly rules: readonly string[];
    readonly all: boolean;
}
 | {
    readonly type: 'no-effect';
    readonly rules: readonly {
        readonly rule: string;
        readonly why: string;
    }[];
}
 | {
    readonly type: 'kept';
} | {
    readonly type: 'diagnostic';
    readonly diagnostic: Diagnostic;
};

interface FolderFiles {
    readonly files: readonly FolderEntry[];
    readonly truncated: boolean;
    readonly refused: readonly {
        readonly path: string;
        readonly reason: string;
    }[];
}

interface GateOptions {
    readonly mode?: GateMode;
    readonly composition?: GateComposition;
    readonly policy?: HostPolicy;
}

type HidingRule = 'allowlist' | 'scope.agents' | 'scope.tenants' | 'scope.environments' | 'disable-model-invocation';

type HookStyle = 'scripts' | 'commands';

interface ListEntry {
    readonly name: string;
    readonly location?: string;
    readonly description?: string;
}

type ListForm = ReadonlySet<ListingDetail>;

const MANIFEST_CODES: {
    readonly MANIFEST_MISNAMED: 'The file is not named exactly SKILL.md.';
    readonly MANIFEST_TOO_LARGE: "The file is larger than 1024 KiB.";
    readonly ENCODING_INVALID: 'The file is not UTF-8 text, or holds a character that text never holds, such as NUL.';
    readonly FRONTMATTER_MISSING: 'The file does not begin with a "---" line.';
    readonly FRONTMATTER_LATE: 'Blank lines precede the opening "---" line.';
    readonly FRONTMATTER_UNCLOSED: 'The frontmatter has no closing "---" line.';
    readonly FRONTMATTER_TOO_LARGE: "The frontmatter does not end within the first 32 KiB of the file.";
    readonly FENCE_INVALID: 'The first line begins with "---" but has more text, so it is not a fence.';
    readonly YAML_INVALID: 'The frontmatter is not valid YAML.';
    readonly YAML_REPAIRED: 'A value that is not valid YAML was read as the text it can only be.';
    readonly YAML_NOT_MAPPING: 'The frontmatter is YAML, but not a mapping of fields.';
    readonly YAML_ALIAS: 'The frontmatter uses an anchor or an alias, which are not accepted.';
    readonly YAML_TAG: 'The frontmatter uses a YAML tag, which is not accepted.';
    readonly YAML_DIRECTIVE: 'The frontmatter holds a YAML directive, which is not accepted.';
    readonly YAML_DOCUMENTS: 'The frontmatter holds more than one YAML document, or a mark that ends one.';
    readonly YAML_KEY_DUPLICATE: 'A key occurs twice in one mapping.';
    readonly YAML_KEY_INVALID: 'A key is a merge key, a collection, or a name that JavaScript reserves.';
    readonly YAML_TOO_COMPLEX: "The frontmatter is nested deeper than 32 levels or holds more than 4000 tokens.";
    readonly NAME_MISSING: 'The skill has no name.';
    readonly NAME_UNSAFE: 'The name could be taken for a path, a device, or another name than it shows.';
    readonly NAME_PATTERN: 'The name holds more than lowercase letters, digits and single inner hyphens.';
    readonly NAME_TOO_LONG: "The name is longer than 64 characters.";
    readonly NAME_FOLDER_MISMATCH: "The name differs from the folder's name.";
    readonly NAME_NORMALIZED: 'The name was changed into a stable one.';
    readonly NAME_NOT_PORTABLE: 'The name holds other letters than a to z, which not every client accepts.';
    readonly NAME_MIXED_SCRIPTS: 'The name mixes alphabets whose letters look alike.';
    readonly DESCRIPTION_MISSING: 'The skill has no description.';
    readonly DESCRIPTION_TOO_LONG: "The description is longer than 1024 characters.";
    readonly ALLOWED_TOOLS_INVALID: 'A rule of allowed-tools is malformed. Such a skill is never loaded.';
    readonly DISALLOWED_TOOLS_INVALID: 'A rule of disallowed-tools is malformed. Such a skill is never loaded.';
    readonly ALLOWED_TOOLS_FORMAT: 'The rules of allowed-tools are not one space-separated string.';
    readonly METADATA_VALUE: 'A value under metadata is a list or a mapping; it was kept as JSON text.';
    readonly FIELD_TYPE: 'The value of a field has the wrong type.';
    readonly FIELD_VALUE: 'A field has a value that it does not accept.';
    readonly FIELD_EMPTY: 'A field has no value.';
    readonly FIELD_TOO_LONG: 'A field is longer than the standard allows.';
    readonly FIELD_UNKNOWN: 'A field is not known. It is kept and never acted on.';
    readonly FIELD_MISSPELLED: 'A field is not known, and its name resembles a known one.';
    readonly FIELD_LEFT_OUT: 'An optional field cannot be read, and was left out. Only in the profile lenient.';
    readonly FIELD_WITHOUT_EFFECT: 'A field has an effect only together with another, which is absent.';
    readonly DEFINITION_MISSING: 'The body of a composite, a script or a template has no code block that defines it.';
    readonly DEFINITION_INVALID: 'The code block that defines a composite, a script or a template cannot be read with certainty.';
    readonly PARAMETERS_UNUSABLE: 'The parameters of a script, template or composite skill are a schema that is not read here. Its calls are refused.';
    readonly TRIGGER_PATTERN_INVALID: 'A trigger pattern is not an RE2 expression, or is too large. It has no effect.';
    readonly TRIGGER_PATTERNS_MANY: 'The skill has more trigger patterns than are tried. Those at the end have no effect.';
    readonly HIDDEN_CHARACTERS: 'A text holds characters that are not shown and can carry or hide a message.';
};

interface ManifestContext {
    readonly path: string;
    readonly folderName?: string;
    readonly fileName: string;
    readonly profile: Profile;
}

interface MountFile {
    readonly path: string;
    readonly executable: boolean;
    readonly read: () => Promise<Uint8Array>;
}

interface OpenCatalogOptions extends CatalogOptions, SnapshotOptions {
    readonly watch?: boolean | WatchOptions;
}

type ParameterFields = Partial<Pick<Manifest, 'type' | 'parameters'>>;

type Precedence = 'layer' | 'priority' | 'order';

type ProgramPolicy = 'any' | 'known';

interface RefusedSkill {
    readonly skill: Skill;
    readonly reasons: readonly string[];
}

const SEARCH_CODES: {
    readonly BODY_NOT_SEARCHED: 'The body of a skill could not be read, so it is found by its name, description and tags alone.';
    readonly EMBEDDER_FAILED: 'The embedder failed, so that a search went by words alone.';
};

const SOURCE_CODES: {
    readonly WORKSPACE_UNTRUSTED: 'The folder belongs to a workspace that is not trusted, so no skill of it was loaded.';
    readonly PLACE_NOT_SEARCHED: 'A folder in which another client keeps skills holds some, and is not searched.';
    readonly NAME_LOOKALIKE: 'Two skills have names that a person could take for one, since letters of different alphabets look alike.';
    readonly ENTRY_REFUSED: 'An entry of a list of skills breaks its rules, or names more than is read, so it was not loaded.';
    readonly CONTENT_UNVERIFIABLE: 'A server gives no digests of a skill, so that nobody could tell what they agree to.';
    readonly KEY_UNUSABLE: 'A key of a storage cannot be the path of a file, or two keys are one path.';
    readonly ROOT_MISSING: 'A folder of skills that the program named does not exist.';
    readonly ROOT_WITHOUT_SKILLS: 'A folder, a package or a server that the program named holds no skill.';
    readonly ROOT_LINKED: 'The root of a source is a link, and its skills are read from where it leads.';
    readonly ROOT_NOT_A_FOLDER: 'The root of a source is a file, not a folder.';
    readonly FOLDER_UNREADABLE: 'A folder could not be read, so skills in it are not known.';
    readonly FOLDER_SEEN_BEFORE: 'A link leads to a folder that was already searched.';
    readonly SKILL_FOLDER_LINKED: 'A folder is a link, and the source does not follow links.';
    readonly MANIFEST_LINKED: 'The manifest is a link, which is never followed.';
    readonly MANIFEST_NOT_A_FILE: 'The manifest is a folder, a pipe, a device or a socket.';
    readonly MANIFEST_UNREADABLE: 'The manifest could not be opened.';
    readonly MANIFEST_SPELLINGS: 'The folder holds several spellings of SKILL.md, and only one of them is read.';
    readonly PACKAGE_JSON_INVALID: 'A package.json cannot be read, so skills that it leads to are not known.';
    readonly PACKAGE_SKILLS_INVALID: "A package's field for its skills is malformed, or a path in it leads out of the package.";
    readonly PACKAGE_NOT_FOUND: 'A package whose skills are wanted is not installed.';
    readonly SCAN_DEPTH_REACHED: 'Folders below the depth of the scan were not searched.';
    readonly MODE_DROPPED: 'A fetched file had a mode that no skill is given, such as set-user-ID. It was dropped.';
    readonly SCAN_FOLDERS_REACHED: 'The source holds more folders than the scan may search.';
};

type Schema = Readonly<Record<string, unknown>>;

type ScriptFailureCode =
'INPUT_INVALID'
 | 'SCRIPT_DANGEROUS'
 | 'SCRIPT_UNAVAILABLE'
 | 'SCRIPT_FAILED';

interface ShadowedSkill {
    readonly skill: Skill;
    readonly by: Skill;
}

type SkillFate = 'shown' | 'shadowed' | 'hidden' | 'inactive' | 'refused' | 'cut' | 'broken';

type SkillStatus = 'active' | 'draft' | 'disabled';

type SkillType = 'instruction' | 'composite' | 'script' | 'template';

interface SnapshotOptions {
    readonly minReloadInterval?: number;
    readonly now?: () => number;
}

interface Style {
    readonly place: 'before-guidance' | 'after-guidance' | 'activation-tool';
    readonly text: (entries: readonly ListEntry[], unlisted: number, form: ListForm) => string;
    readonly entry: (entry: ListEntry, form: ListForm) => string;
    readonly separator?: string;
    readonly details: readonly ListingDetail[];
    readonly toolOf?: (entry: ListEntry, input: ToolDefinition['inputSchema'] | undefined, form: ListForm) => ToolDefinition;
    readonly bound?: (description: string) => string;
    readonly selective?: true;
}

const TABLE: {
    readonly xml: Style;
    readonly section: Style;
    readonly tool: Style;
    readonly tools: Style;
    readonly matched: Style;
};

interface TokenCounts {
    readonly input: number;
    readonly output: number;
}

interface TurnActivation {
    readonly name: string;
    readonly outcome: Outcome;
}

interface TurnSettingsOptions {
    readonly triggers?: TriggerMode;
}
