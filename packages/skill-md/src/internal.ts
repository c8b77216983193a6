/** For Repertoire's own packages. It may change in any release. */
export type { AdviceOptions } from './advice/advice.ts'
export { BRACES, PLACEHOLDER, type ResultReference, isStepName, readReference } from './definition/step-result.ts'
export { type CompactDiagnostic, materialise } from './diagnostics.ts'
export type { SkillDocument } from './document.ts'
export {
  type ConfigurationProblem,
  SkillError,
  type SkillErrorCode,
  type SkillErrorDetails,
  isSkillError,
} from './errors.ts'
export { findFrontmatter } from './fence.ts'
export { formatRule, parseAllowedTools } from './fields/allowed-tools.ts'
export { normalizeName } from './fields/name.ts'
export { loadPatternChecker } from './fields/trigger-pattern.ts'
export { isObject } from './is-object.ts'
export { parseManifestPath } from './manifest-path.ts'
export { Metadata } from './metadata.ts'
export {
  anyText,
  anything,
  callable,
  distinctListOf,
  either,
  flag,
  foreign,
  functionOf,
  layerKind,
  listOf,
  liveListOf,
  number,
  off,
  oneOf,
  recordOf,
  repertoireKind,
  required,
  secret,
  sessionKind,
  signal,
  tableOf,
  text,
  textOrOff,
  timeLimit,
  variables,
  watchKind,
  withDefault,
  withMethods,
} from './options/kinds.ts'
export {
  type AnyTable,
  type OptionKind,
  type OptionRow,
  type OptionTable,
  type RequiredKind,
  checkArgument,
  checkOptions,
  described,
  firstOf,
  optionRows,
  readOptions,
  tableProblem,
  tableWithout,
} from './options/table.ts'
export { importYaml } from './libraries.ts'
export { patternProblem } from './parameter-patterns.ts'
export { type PatternPlace, type Schema, defaultsOf, readSchema, shownSchema } from './parameter-schema.ts'
export { parseSkill } from './parse.ts'
export type { ManifestParser } from './parser.ts'
export { DIAGNOSTIC_CODES, type DiagnosticCode, SOURCE_CODES } from './ports/diagnostic-codes.ts'
export type { Diagnostic } from './ports/diagnostic.ts'
export type { FolderEntry, FolderFiles, FolderListing, FolderSurvey, SkillFolder } from './ports/folder.ts'
export { DEFAULT_LAYERS } from './ports/layers.ts'
export {
  HEAD_BYTES,
  HOOK_TIMEOUT_MS,
  LOAD_TIMEOUT_MS,
  MAX_BODY_CHARS,
  MAX_DIGEST_FILE_BYTES,
  MAX_FRONTMATTER_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_RESOURCE_BYTES,
  MAX_TIMER_MS,
  SCRIPT_ARGUMENT_LIMITS,
} from './ports/limits.ts'
export {
  DEFAULT_MANIFEST,
  type Manifest,
  type Profile,
  type SkillContent,
  type SkillDefinition,
  type SkillStatus,
  type SkillType,
  type ToolRule,
} from './ports/manifest.ts'
export type { Layer, Skill } from './ports/skill.ts'
export type { TokenCounter } from './ports/tokens.ts'
export { PROFILES } from './profiles.ts'
export { type ResourceGroups, groupResources } from './resources/kinds.ts'
export { type Unseen, unseenParts } from './resources/unseen.ts'
export { enclosed, escapeXml, oneLine, showHidden, showInvisible, stripInvisible } from './text/escape.ts'
export { nearestNames } from './text/nearest.ts'
export { normalForm } from './text/normal-form.ts'
export { inQuotes, quote, quoteBeginning, quoteName, showName, shown, shownValue } from './text/quote.ts'
export { estimateTokens } from './text/tokens.ts'
export { unicodeExpression } from './text/unicode-expression.ts'
export { withOrigin } from './with-origin.ts'
