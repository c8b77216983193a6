export { formatRule } from './allowed-tools.ts'
export { loadManifestParser, parseSkill } from './parse.ts'
export type { ManifestContext, ManifestParser, SkillDocument } from './parse.ts'
