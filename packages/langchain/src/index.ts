export type { ForkOptions, SubAgent } from './fork.ts'
export {
  type SkillsMiddleware,
  skillsMiddleware,
  type SkillsMiddlewareOptions,
  type SkillsSession,
} from './middleware.ts'
export { needsApproval } from './approvals.ts'
export {
  activeSkills,
  consentRequests,
  type EndOptions,
  endSkills,
  type PendingConsent,
  resumeWith,
  type SkillsAgent,
} from './thread.ts'
