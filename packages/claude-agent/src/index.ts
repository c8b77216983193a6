export { type ClaudeAgent, type ClaudeAgentOptions, claudeAgent } from './claude-agent.ts'
export { type ForkOptions, type SkillModel, type SkillsOptions, type SubAgent } from './options.ts'
export { skillsQuery, queryOptions } from './skills-query.ts'
