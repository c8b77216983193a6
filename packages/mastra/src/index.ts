export type { AnyModel, ForkOptions, SubAgent } from './binding.ts'
export { skillsAgent } from './skills-agent.ts'
export type { PendingConsent, SkillsAgent, SkillsAgentOptions } from './options.ts'
