/** For Repertoire's own packages. It may change in any release. */
export type { AdviceOptions } from './advice.ts'
export type { Metadata } from './diagnostics.ts'
export type { SkillDocument } from './document.ts'
export { isSkillError, SkillError, type SkillErrorCode, type SkillErrorDetails } from './errors.ts'
export { findFrontmatter } from './fence.ts'
export { formatRule, parseAllowedTools } from './fields/allowed-tools.ts'
export { normalizeName } from './fields/name.ts'
export { loadPatternChecker } from './fields/triggers.ts'
export { parseManifestPath } from './frontmatter.ts'
export { readYaml } from './libraries.ts'
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
  checkArgument,
  checkOptions,
  described,
  firstOf,
  type OptionKind,
  type OptionRow,
  optionRows,
  type OptionTable,
  type WithDefaults,
  readOptions,
  type RequiredKind,
  tableProblem,
  tableWithout,
} from './options/table.ts'
export {
  defaultsOf,
  type PatternPlace,
  patternProblem,
  readSchema,
  type Schema,
  shownSchema,
} from './parameter-schema.ts'
export { parseSkill } from './parse.ts'
export { isObject } from './plain-value.ts'
export { type Diagnostic, DIAGNOSTIC_CODES, type DiagnosticCode, SOURCE_CODES } from './ports/diagnostic.ts'
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
  AGENT_FILE,
  DEFAULT_MANIFEST,
  type Manifest,
  type Profile,
  PROFILES,
  type SkillContent,
  type SkillDefinition,
  type SkillStatus,
  type SkillType,
  type ToolRule,
  withOrigin,
} from './ports/manifest.ts'
export {
  DEFAULT_LAYERS,
  type FolderEntry,
  type FolderFiles,
  type FolderListing,
  type FolderSurvey,
  type Layer,
  type Skill,
  type SkillFolder,
} from './ports/skill.ts'
export { commandOfEnding, hasScriptExtension, isScriptFile, isScriptPath } from './script-files.ts'
export { groupResources, type ResourceGroups, type Unseen, unseenParts } from './resources.ts'
export {
  enclosed,
  escapeText,
  escapeXml,
  inQuotes,
  oneLine,
  quote,
  quoteBeginning,
  quoteName,
  showName,
  shown,
  shownValue,
} from './text/escape.ts'
export { readHidden, showHidden, showInvisible, stripInvisible, unicodeExpression } from './text/hidden.ts'
export { nearestNames } from './text/nearest.ts'
export { normalForm } from './text/normal-form.ts'
export type { YamlEntry, YamlNode } from './yaml/tree.ts'
export { estimateTokens, type TokenCounter } from './text/tokens.ts'
