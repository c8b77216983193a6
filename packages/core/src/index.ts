export type { Catalog, CatalogOptions } from './catalog/catalog.ts'
export { memorySource, type MemorySourceOptions } from './catalog/memory-source.ts'
export { DEFAULT_LAYERS, type ShadowedSkill } from './catalog/precedence.ts'
export type { CatalogView, Viewer } from './catalog/view.ts'
export { DIAGNOSTIC_CODES, type DiagnosticCode } from './diagnostic-codes.ts'
export { escapeXml, showInvisible } from './disclosure/escape.ts'
export { navigationGuidance, type GuidanceTools } from './disclosure/guidance.ts'
export { listAsSection, listAsXml, listForTool, type ListedSkill, type ListingStyle } from './disclosure/listing.ts'
export { activationText, type Activation, type FolderSummary } from './disclosure/skill-content.ts'
export { isSkillError, SkillError, type SkillErrorCode, type SkillErrorDetails } from './errors.ts'
export { DEFAULT_TOOL_ARGUMENTS, type ToolArguments } from './gate/index.ts'
export { formatRule, parseSkill, type ManifestContext, type SkillDocument } from './manifest/index.ts'
export { openRepertoire, type Repertoire, type RepertoireOptions, type SessionOptions } from './repertoire.ts'
export { digestFolder } from './resources/digest.ts'
export { byKind, type Resources } from './resources/kinds.ts'
export { findResource, readResource, type ReadOptions, type Resource } from './resources/read.ts'
export { readVerdict } from './session/consent.ts'
export { failureText, resultText } from './session/refusal.ts'
export type { SavedSession } from './session/seal.ts'
export type { Session } from './session/session.ts'
export {
  applyChange,
  initialState,
  type ActiveSkill,
  type Grant,
  type OpenRequest,
  type SessionChange,
  type SessionState,
} from './session/state.ts'
export type { StepView } from './session/step-view.ts'
export { argumentsSentBack, readArguments } from './session/wire-arguments.ts'
export { DEFAULT_TOOL_NAMES, type SkillToolNames } from './tools/definitions.ts'
export type {
  ConsentHandler,
  ConsentRequest,
  ConsentVerdict,
  Diagnostic,
  FolderEntry,
  FolderFiles,
  FolderListing,
  FoundSkill,
  FunctionTool,
  Layer,
  Manifest,
  Outcome,
  Profile,
  Refusal,
  RefusalCode,
  Skill,
  SkillFolder,
  SkillSource,
  SkillStatus,
  SkillType,
  SkillVisitor,
  ToolArgument,
  ToolCall,
  ToolDefinition,
  ToolRule,
} from './types.ts'
