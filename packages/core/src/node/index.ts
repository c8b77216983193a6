export { jsonLinesAudit } from './audit-file.ts'
export type { JsonLinesAudit, JsonLinesAuditOptions } from './audit-file.ts'
export { loadConfiguration } from './configuration/configuration.ts'
export type { ConfigurationOptions } from './configuration/configuration.ts'
export type {
  Configuration,
  ConfigurationKey,
  ConfigurationOrigin,
  ConfigurationSettings,
  ConfiguredRoots,
} from './configuration/configuration-settings.ts'
export { directorySource } from './directory-source.ts'
export type { DirectorySourceOptions } from './directory-source.ts'
export type { DirectoryWatchOptions } from './watch/directory-watch-options.ts'
export { embedSkills } from './embed-skills.ts'
export type { EmbedSkillsOptions } from './embed-skills.ts'
export { ensureDefaults } from './ensure-defaults.ts'
export type { EnsureDefaultsOptions, EnsuredDefaults } from './ensure-defaults.ts'
export { configuredSources, openConfigured } from './configuration/open-configured.ts'
export type { ConfiguredHost } from './configuration/open-configured.ts'
export { openSkillFolder } from './skill-folder.ts'
export type { OpenSkillFolderOptions } from './skill-folder.ts'
export type { ReadRules } from './skill-reading.ts'
export { packageSource } from './package-source.ts'
export type { PackageSourceOptions } from './package-source.ts'
export { readAudit } from './read-audit.ts'
export type { AuditLine } from './read-audit.ts'
export { privateMounts } from './private-mounts.ts'
export type { PrivateMounts, PrivateMountsOptions } from './private-mounts.ts'
export { standardSources } from './standard-sources.ts'
export type { Folders, StandardSourcesOptions } from './standard-sources.ts'
