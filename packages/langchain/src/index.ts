export { skillsMiddleware, type SkillsMiddlewareOptions, type SkillsSession } from './middleware.ts'
export { activeSkills, endSkills, type SkillsAgent } from './thread.ts'
