/**
 * Judges calls of a host's tools: by what the host allows, denies and protects, by the rules of the active skills, and by
 * whether a call reads one of their scripts. Pure: no state, no file is touched, and the same call always gets the same
 * answer in the same words.
 */
export { DEFAULT_TOOL_ARGUMENTS, mergeToolArguments, shellTool, toolArgument } from './arguments.ts'
export type { ToolArguments } from './arguments.ts'
export { judge } from './judge.ts'
export type { GateContext } from './judge.ts'
export { mayUse } from './policy.ts'
export type { Policy } from './policy.ts'
export type { GateRefusal } from './policy-check.ts'
export { scriptReason } from './script/read.ts'
export { scriptRunBy } from './script/run.ts'
export { isScriptOf, runLocation } from './script/skill.ts'
export { resolveGate } from './settings.ts'
export type { GateOptions, GateSettings } from './settings.ts'
export { enforcedPolicy } from './skills.ts'
export { canonicalTool } from './tool-name.ts'
export { loadCommands } from './load-commands.ts'
export { liesWithin, type WithinContext } from './within.ts'
export { safeGitEnvironment } from './shell/git-environment.ts'
