export { approvalResponses, consentRequests, type PendingConsent } from './answers.ts'
export type { ForkOptions, SubAgent } from './fork.ts'
export { isRefusedCall, RefusedCall } from './refused-call.ts'
export { type SkillsOptions, type SkillsSettings, withSkills } from './with-skills.ts'
