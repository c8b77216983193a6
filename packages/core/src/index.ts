export { adviseSkill, renderSkill } from './authoring.ts'
export {
  createCounters,
  type Counters,
  type ModelCounters,
  type SkillCounters,
  type TokenCounts,
} from './audit/counters.ts'
export type {
  AuditedSkill,
  AuditEvent,
  AuditEventType,
  AuditOptions,
  AuditOutcome,
  AuditSink,
  TokenUsage,
} from './audit/events.ts'
export { bundledSource } from './bundled/bundled-source.ts'
export type { Catalog, CatalogOptions } from './catalog/catalog.ts'
export type { CatalogDifference } from './catalog/compare.ts'
export type { LoadedSkill } from './catalog/documents.ts'
export type { OpenCatalogOptions } from './catalog/open-catalog.ts'
export type { Candidate, Explanation, FateReason, SkillFate } from './catalog/explanation.ts'
export { memorySource, type MemorySourceOptions } from './catalog/memory-source.ts'
export { DEFAULT_LAYERS, type Precedence, type ShadowedSkill } from './catalog/precedence.ts'
export { skillItems, type SkillItem, type SkillItemRequest, type SkillProvider } from './catalog/provider.ts'
export type { BrokenSkill } from './catalog/source-scan.ts'
export type { ReloadListener, ReloadResult, SnapshotOptions } from './catalog/snapshots.ts'
export type { SkillMetadata, SkillTiers } from './catalog/tiers.ts'
export type { HidingRule, Viewer } from './catalog/view.ts'
export type { WatchOptions } from './catalog/watch.ts'
export { DIAGNOSTIC_CODES, type DiagnosticCode } from './ports/diagnostic-codes.ts'
export type { ListingBudget } from './disclosure/budget.ts'
export { escapeXml, showInvisible } from './text/escape.ts'
export type { ListingCuts } from './disclosure/fit.ts'
export { navigationGuidance, type GuidanceTools } from './disclosure/guidance.ts'
export { listAsSection, listAsXml, listForTool, type ListedSkill } from './disclosure/listing.ts'
export { skillSections, type SkillSection, type SkillSections } from './disclosure/sections.ts'
export { activationText, type Activation, type FolderSummary } from './disclosure/skill-content.ts'
export {
  isSkillError,
  SkillError,
  type ConfigurationProblem,
  type SkillErrorCode,
  type SkillErrorDetails,
} from './errors.ts'
export { DEFAULT_TOOL_ARGUMENTS, safeGitEnvironment, type ToolArguments } from './gate/index.ts'
export {
  formatRule,
  parseSkill,
  PROFILES,
  type AdviceOptions,
  type ManifestContext,
  type SkillContent,
  type SkillDocument,
} from './manifest/index.ts'
export { openRepertoire, type Repertoire } from './repertoire.ts'
export type { RepertoireOptions, SessionOptions } from './repertoire-options.ts'
export { digestFolder } from './resources/digest.ts'
export { byKind, type Resources } from './resources/kinds.ts'
export { findResource, readResource, type ReadOptions, type Resource } from './resources/read.ts'
export {
  beginTurnWithConsent,
  invocationConsentRequest,
  type TurnWithConsentOptions,
} from './session/turn/turn-with-consent.ts'
export { readConsentAnswer } from './session/consent/answer.ts'
export { abandonedCall, failureText, resultText } from './session/calls/refusal.ts'
export type { GateOptions } from './session/calls/policy.ts'
export type { SavedSession, SealedChanges } from './session/state/seal.ts'
export type { SkillMatcher } from './session/context.ts'
export { parseInvocation, type Invocation } from './session/turn/invocation.ts'
export { messageText, type MessagePart } from './session/turn/message-text.ts'
export type {
  CallOptions,
  StepOptions,
  ForkRequest,
  ForkResult,
  ForkRunner,
  Session,
  TurnOptions,
} from './session/session.ts'
export type { TriggerMode } from './session/turn/triggers.ts'
export type { Turn, TurnActivation } from './session/turn/turn.ts'
export {
  applyChange,
  initialState,
  type ActiveSkill,
  type Grant,
  type OpenRequest,
  type SessionChange,
  type SessionState,
} from './session/state/state.ts'
export type { StepView } from './session/step-view.ts'
export { joinSystem } from './session/system-prompt.ts'
export { argumentsSentBack, readArguments } from './session/calls/wire-arguments.ts'
export {
  agentFor,
  modelFor,
  SUB_AGENT_STEPS,
  UNATTENDED,
  unattendedCall,
  unattendedFork,
  unfinished,
  type ModelChoice,
} from './session/fork/sub-agent.ts'
export { estimateTokens } from './text/tokens.ts'
export { DEFAULT_TOOL_NAMES, type SkillToolNames } from './tools/definitions.ts'
export { skillToolsOf } from './tools/per-skill.ts'
export { measureListing } from './tools/skill-list.ts'
export { LISTING_STYLES, type ListingStyle } from './tools/styles/table.ts'
export { skillToolName } from './tools/skill-tool-name.ts'
export type { ConsentHandler, ConsentRequest, ConsentAnswer } from './ports/consent.ts'
export type { Diagnostic } from './ports/diagnostic.ts'
export type { FolderEntry, FolderFiles, FolderListing, FolderSurvey, SkillFolder } from './ports/folder.ts'
export type { GateComposition, GateMode, HostPolicy } from './ports/gate.ts'
export type { HookResult, HookRun, HookRunner } from './ports/hook.ts'
export type {
  CompositeStep,
  Manifest,
  Profile,
  SkillDefinition,
  SkillStatus,
  SkillType,
  ToolRule,
} from './ports/manifest.ts'
export type { Mount, MountFile, MountRequest, SkillMounts } from './ports/mount.ts'
export type { Outcome, Refusal, RefusalCode } from './ports/outcome.ts'
export type { SessionProblem, SessionProblemCode } from './ports/problem.ts'
export type { Layer, Skill } from './ports/skill.ts'
export type { FoundSkill, SkillSource, SkillVisitor, SourceListener, SourceWatch } from './ports/source.ts'
export type { TokenCounter } from './ports/tokens.ts'
export type { FunctionTool, ToolArgument, ToolCall, ToolDefinition } from './ports/tool.ts'
