/**
 * `@repertoire/core`: what people who use skills need. What programs need that check or write skills is in
 * `@repertoire/core/authoring`, and what only adapters need in `@repertoire/core/adapter`.
 */
export { createCounters, type Counters, type ModelCounters, type SkillCounters } from './audit/counters.ts'
export type { Admission } from './ports/admission.ts'
export type {
  AuditedConsent,
  AuditedRun,
  AuditedWindow,
  AuditEvent,
  AuditEventType,
  AuditOptions,
  AuditSink,
  TokenUsage,
} from './audit/events.ts'
export type { ShownSkills } from './audit/events.ts'
export { bundledSource } from './bundled/bundled-source.ts'
export type { Catalog } from './catalog/catalog.ts'
export type { LoadedSkill } from './catalog/documents.ts'
export type { Explanation } from './catalog/explanation.ts'
export { memorySource, type MemoryFile, type MemorySource, type MemorySourceOptions } from './catalog/memory-source.ts'
export {
  DEFAULT_LAYERS,
  type DiagnosticCode,
  showInvisible,
  showName,
  isSkillError,
  SkillError,
  type SkillErrorCode,
  type SkillErrorDetails,
  type SkillDocument,
  estimateTokens,
  type Diagnostic,
  type FolderEntry,
  type FolderListing,
  type FolderSurvey,
  type SkillFolder,
  type Manifest,
  type Profile,
  type SkillContent,
  type SkillDefinition,
  type ToolRule,
  type Layer,
  type Skill,
  type TokenCounter,
} from '@repertoire/skill-md/internal'
export { getSkillItems, type SkillItem, type SkillItemRequest, type SkillProvider } from './catalog/provider.ts'
export type { ReloadListener, ReloadResult } from './catalog/snapshots.ts'
export type { SkillMetadata, SkillTiers } from './catalog/tiers.ts'
export type { ViewerOptions } from './catalog/view.ts'
export type { Viewer } from './ports/viewer.ts'
export type { WatchOptions } from './catalog/watch.ts'
export type { ListingBudget } from './disclosure/budget.ts'
export type { ListingCuts } from './disclosure/fit.ts'
export type { ListingDetail } from './disclosure/listing.ts'
export { createSkillExecutor } from './repertoire/open-repertoire.ts'
export type {
  Execution,
  ExecutionFailure,
  ExecutionFailureCode,
  ExecutionOutcome,
  ExecutionRequest,
  SkillExecutor,
  SkillExecutorOptions,
  PlanStepRunner,
} from './execution/execute.ts'
export type { PlanStep } from './execution/composite/plan.ts'
export type { PlanRun, PlanStepOutcome, PlanStepResult } from './execution/composite/run.ts'
export { safeGitEnvironment, WELL_KNOWN_TOOLS, type WellKnownTool } from '@repertoire/gate/internal/options'
export type {
  HostToolsOptions,
  GateComposition,
  EnforcementOptions,
  GateMode,
  HostPolicy,
  RefusedBy,
  HostTool,
  HostTools,
  ToolArgument,
} from '@repertoire/gate/internal'
export type { Mount, MountRequest, SkillMounts } from './ports/mount.ts'
export type { Outcome, Refusal, RefusalCode } from './ports/outcome.ts'
export type { FunctionTool, ToolCall, ToolDefinition } from './ports/tool.ts'
export { type Repertoire } from './repertoire/options.ts'
export { openRepertoire } from './repertoire/open-repertoire.ts'
export { openStoredSession, withStoredSession } from './repertoire/stored/stored-session.ts'
export { type StoredSession, type StoredSessionOptions } from './repertoire/stored/stored-session.ts'
export { memorySessions, type MemorySessionsOptions } from './store/memory-sessions.ts'
export type {
  CatalogOptions,
  ConsentOptions,
  ContextOptions,
  ExplainOptions,
  ListingOptions,
  RepertoireOptions,
  SessionOptions,
  TurnHandling,
} from './repertoire/options.ts'
export type { SearchOptions, SearchSkills, SkillHit, SkillRank, SkillSearch } from './ports/search.ts'
export {
  clientConsentRequest,
  type ClientCallRequest,
  type ClientConsentRequest,
  type ClientSkillRequest,
} from './session/consent/client-request.ts'
export type { SavedSession } from './session/state/seal.ts'
export type { PlanCallRunner } from './session/context.ts'
export type { Invocation } from './session/turn/turn.ts'
export type { ForkRequest, ForkResult, ForkRunner, Session } from './session/session.ts'
export type { TriggerMode } from './session/turn/triggers.ts'
export type { TurnMatching } from './session/turn/matching.ts'
export type { Turn } from './session/turn/turn.ts'
export type { StepView } from './session/step/view.ts'
export { DEFAULT_TOOL_NAMES, type SkillToolNames } from './tools/definitions.ts'
export type { GuidanceMode } from './disclosure/guidance.ts'
export type { SearchMode } from './tools/definitions.ts'
export { LISTING_STYLES, type ListingStyle } from './tools/styles.ts'
export type { ScriptOutput } from './execution/script-output.ts'
export type { ScriptOptions, ScriptOwner } from './execution/settings.ts'
export type {
  ConsentAnswer,
  ConsentDecision,
  ConsentExecution,
  ConsentHandler,
  CallConsentRequest,
  ConsentRequest,
  SkillConsentRequest,
  ConsentRunner,
} from './ports/consent.ts'
export type { SessionProblem, SessionProblemCode } from './ports/problem.ts'
export type {
  ScriptEnd,
  ScriptFile,
  ScriptIsolation,
  ScriptJob,
  ScriptLimits,
  ScriptResult,
  ScriptRunner,
  Workspace,
} from './ports/script-runner.ts'
export type {
  SessionLease,
  SessionLeaseOptions,
  SessionRecord,
  SessionSaveOptions,
  SessionStore,
} from './ports/session-store.ts'
export type {
  SkillFiles,
  SkillStore,
  StoredFile,
  StoredRevision,
  StoredSkill,
  StoreReplaceOptions,
  StoreResourceOptions,
  StoreWriteOptions,
} from './ports/skill-store.ts'
export type { FoundSkill, SkillSource, SourceListener, SourceWatch } from './ports/source.ts'
export type { SummarizedMessage, Summarizer, Summary, SummaryOptions, SummaryRequest } from './ports/summarizer.ts'
export type { WindowOptions } from './window/settings.ts'
export type { ToolsetContext, ToolsetLoader, ToolsetOptions, ToolsetRequest } from './ports/toolset.ts'
export type { Activation } from './disclosure/skill-content.ts'
