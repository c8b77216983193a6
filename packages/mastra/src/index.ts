export type { AnyModel, ForkOptions, SubAgent } from './binding.ts'
export { skillsAgent } from './skills-agent.ts'
export type { AgentSession, PendingConsent, SessionAgentOptions, SkillsAgent, SkillsAgentOptions } from './options.ts'
