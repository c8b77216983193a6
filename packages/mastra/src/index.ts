export type { AnyModel, ForkOptions, SubAgent } from './binding.ts'
export { skillsAgent } from './skills-agent.ts'
export type { PendingConsent, SessionAgentOptions, SkillsAgent, SkillsAgentOptions } from './options.ts'
