/**
 * Judges calls of a host's tools: by what the host allows, denies and protects, by the rules of the active skills, and by
 * whether a call reads one of their scripts. Pure: no state, no file is touched, and the same call always gets the same
 * answer in the same words.
 */
export { findHandedOut, rulesWithoutEffect } from './handed-out.ts'
export type { HandedOut } from './handed-out.ts'
export { hostRules } from './host-tools/shown.ts'
export { openToolTable } from './host-tools/table.ts'
export type { HostToolsOptions } from './host-tools/table.ts'
export type { ToolTable } from './host-tools/toolset.ts'
export { shellTool, usesOfCall } from './host-tools/toolset.ts'
export type { Toolset } from './host-tools/toolset.ts'
export { WELL_KNOWN_TOOLS } from './host-tools/well-known.ts'
export { judge } from './judge.ts'
export type { GateContext, Judgement } from './judge.ts'
export { mayUse, saysNothing, unmatchedPolicy } from './policy.ts'
export type { Policy } from './policy.ts'
export type { GateRefusal } from './policy-check.ts'
export { listRules } from './rules.ts'
export { scriptReason } from './script/read.ts'
export { isScriptOf, runLocation } from './script/skill.ts'
export { resolveGate } from './settings.ts'
export type { GateOptions, GateSettings } from './settings.ts'
export { enforcedPolicy } from './skills.ts'
export { canonicalTool } from './tool-name.ts'
export { loadCommands } from './load-commands.ts'
export { liesWithin } from './within.ts'
