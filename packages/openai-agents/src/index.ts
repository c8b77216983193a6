export { agentTool } from './agents.ts'
export type { ForkOptions, SubAgent } from './binding.ts'
export {
  type PendingConsent,
  skillsRunner,
  type SkillsRunner,
  type SkillsRunnerOptions,
  type TaskRunner,
} from './skills-runner.ts'
export { errorFunction } from './tools.ts'
