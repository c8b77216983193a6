/**
 * `@repertoire/core/stores`: what a writer of a store or of a source of skills needs beside the root entry, so that the
 * same rules hold wherever skills and sessions are kept.
 */
export { nearestNames } from '@repertoire/skill-md/internal'
export { measureFolder, type FolderDigest } from './resources/digest.ts'
export { listFiles, resourceParts } from './resources/path.ts'
export { checkWrites, refuseConflict, readStored, revisionOf, storedKey } from './store/stored-skill.ts'
export { lockedFolderName, lockedOriginText, type LockedOrigin } from './store/locked-origin.ts'
export { createPathIndex, isSameName, storedPathProblem, type PathIndex, type PathTwin } from './store/path-rules.ts'
export {
  checkSessionId,
  checkSessionOptions,
  checkSessionTenant,
  leaseLost,
  versionConflict,
} from './store/memory-sessions.ts'
export {
  checkResource,
  checkSkillContent,
  checkSkillFiles,
  checkSkillName,
  checkSkillPaths,
  storedSkillName,
  type CheckedSkill,
} from './store/skill-files.ts'
export { inTime } from './time-limit.ts'
