export { openFileStore, type FileStoreOptions } from './store/file-store.ts'
export { openConfiguredStore } from './store/configured-store.ts'
export { memoryStore, type MemoryStoreOptions } from './store/memory-store.ts'
export { buildFromSteps, buildInstructionSkill, buildScript, type ToolExecution } from './registry/builder.ts'
export type { NewSkill } from './registry/new-skill.ts'
export { createRegistry, type RegistryOptions, type SkillRegistry } from './registry/registry.ts'
export { changeSkillsLock, readSkillsLock, type ChangeLockOptions } from './lock/lock-file.ts'
export { pinSkill } from './lock/pin.ts'
export type { LockedSkill, PinnedFile, SkillPin, SkillsLock } from './lock/skills-lock.ts'
export {
  verifySkills,
  type Verification,
  type VerifiedSkill,
  type VerifiedState,
  type VerifyOptions,
} from './lock/verify.ts'
