/** `@repertoire/skill-md`: reads, checks and writes SKILL.md files. */
export { adviseSkill, type AdviceOptions } from './advice.ts'
export type { SkillDocument } from './document.ts'
export { isSkillError, SkillError, type SkillErrorCode, type SkillErrorDetails } from './errors.ts'
export { formatRule } from './fields/allowed-tools.ts'
export type { ManifestContext } from './frontmatter.ts'
export { parseSkill } from './parse.ts'
export { DIAGNOSTIC_CODES, type DiagnosticCode } from './ports/diagnostic.ts'
export type { Diagnostic } from './ports/diagnostic.ts'
export type { FolderEntry, FolderFiles, FolderListing, FolderSurvey, SkillFolder } from './ports/skill.ts'
export type {
  CompositeStep,
  Manifest,
  Profile,
  SkillContent,
  SkillDefinition,
  SkillStatus,
  SkillType,
  ToolRule,
} from './ports/manifest.ts'
export { PROFILES } from './ports/manifest.ts'
export { renderSkill, renderStored } from './render.ts'
export { frontmatterJsonSchema, loadFrontmatterSchema, type FrontmatterSchema } from './schema/frontmatter.ts'
