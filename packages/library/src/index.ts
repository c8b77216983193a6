export { openFileStore, type FileStoreOptions } from './store/file-store.ts'
export {
  compositeSkill,
  instructionSkill,
  scriptSkill,
  type CompositeSkillOptions,
  type InstructionSkillOptions,
  type ScriptSkillOptions,
  type ToolExecution,
} from './registry/builder.ts'
export type { NewSkill } from './registry/new-skill.ts'
export type { SkillTool } from './registry/skill-tools.ts'
export { createSkillRegistry, type SkillRegistryOptions, type SkillRegistry } from './registry/registry.ts'
export { changeSkillsLock, readSkillsLock, requireSkillsLock, type ChangeLockOptions } from './lock/lock-file.ts'
export { pinSkill } from './lock/pin.ts'
export type { LockedSkill, PinnedFile, PinnedScan, SkillPin, SkillsLock } from './lock/skills-lock.ts'
export { type Differences, type VerifiedSkill, type VerifiedState } from './lock/compare.ts'
export { verifySkills, type Verification, type VerifyOptions } from './lock/verify.ts'
export type { OriginOptions } from './origins/options.ts'
export type {
  FetchedSkill,
  FetchedSkills,
  FetchOptions,
  FetchStep,
  ListedSkill,
  Origin,
  ResolvedOrigin,
} from './origins/origin.ts'
export { resolveOrigin } from './origins/resolve.ts'
export type { ContentFacts, UnseenText } from './install/facts.ts'
export type { ScanOptions, ScanResult } from './install/scan.ts'
export type { ScanFinding, ScanReport, ScanVerdict } from './install/scan-report.ts'
export { planAdd, type AddOptions } from './install/add.ts'
export { applyPlan, type InstallResult } from './install/apply-plan.ts'
export type { PlaceProblem } from './install/places.ts'
export type { InstallPlan, KeptReason, PlannedAction, PlannedSkill } from './install/plan.ts'
export { findLeftovers, recoverProject, type Leftover } from './install/leftovers.ts'
export { locateProject, type ProjectFolders, type ProjectOptions } from './install/project.ts'
export type { Relocate } from './install/fetch-locked.ts'
export { planRemove, type RemoveOptions } from './install/remove.ts'
export { planInstall, type InstallOptions } from './install/restore.ts'
export { planUpdate, type UpdateOptions } from './install/update.ts'
export type { ExportOptions } from './export/exportable.ts'
export { exportHarnessSkills, type HarnessExport, type HarnessSkill } from './export/harness.ts'
export type { ExportedSkill, ExportLoss } from './export/losses.ts'
export { exportPlugin, type PluginExport, type PluginExportOptions } from './export/plugin.ts'
export { packSkill, type PackedSkill } from './install/pack.ts'
export { originText, type LockedOrigin } from './origins/text.ts'
