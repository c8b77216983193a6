export type { ForkOptions, SubAgent } from './fork.ts'
export { type SkillsMiddleware, skillsMiddleware } from './middleware.ts'
export type { SkillsMiddlewareOptions, SkillsSession } from './options.ts'
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
