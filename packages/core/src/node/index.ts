export { jsonLinesAudit } from './audit/json-lines.ts'
export type { JsonLinesAudit, JsonLinesAuditOptions } from './audit/json-lines.ts'
export { loadConfiguration } from './configuration/load.ts'
export type { ConfigurationOptions } from './configuration/load.ts'
export type {
  Configuration,
  ConfigurationKey,
  ConfigurationOrigin,
  ConfigurationSettings,
  ConfiguredRoots,
} from './configuration/settings.ts'
export { directorySource } from './sources/directory.ts'
export type { DirectorySourceOptions } from './sources/directory.ts'
export type { DirectoryWatchOptions } from './watch/options.ts'
export { embedSkills } from './bundled/embed-skills.ts'
export type { EmbedSkillsOptions } from './bundled/embed-skills.ts'
export { ensureDefaults } from './bundled/ensure-defaults.ts'
export type { EnsureDefaultsOptions, EnsuredDefaults } from './bundled/ensure-defaults.ts'
export { configuredSources, openConfigured } from './configuration/open.ts'
export type { ConfiguredHost } from './configuration/open.ts'
export { openSkillFolder } from './folder/skill.ts'
export type { OpenSkillFolderOptions } from './folder/skill.ts'
export { packageSource } from './sources/package.ts'
export type { PackageSourceOptions } from './sources/package.ts'
export { readAudit } from './audit/read.ts'
export type { AuditLine } from './audit/read.ts'
export { privateMounts } from './mounts/private.ts'
export type { PrivateMounts, PrivateMountsOptions } from './mounts/private.ts'
export { moduleToolsets } from './toolsets/module.ts'
export type { ModuleToolsetsOptions } from './toolsets/module.ts'
export { standardSources } from './sources/standard.ts'
export type { StandardSourcesOptions } from './sources/standard.ts'
