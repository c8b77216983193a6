/**
 * Whether the `allowed-tools` rules of the active skills permit one tool call, judged by the call's arguments. Pure:
 * no state, no file is touched, and the same call always gets the same answer in the same words.
 */
export { argumentValues, DEFAULT_TOOL_ARGUMENTS, mergeToolArguments, toolArgument } from './arguments.ts'
export type { ToolArguments } from './arguments.ts'
export { MAX_PATTERN_CHARS, matchParts, matchText } from './glob.ts'
export { mayUse, permits } from './permits.ts'
export type { GateContext, Verdict } from './permits.ts'
export { readHostPolicy } from './host-policy.ts'
export { both } from './policy.ts'
export type { Policy } from './policy.ts'
export { canonicalTool } from './tool-name.ts'
export { safeGitEnvironment } from './shell/git-environment.ts'
export type { MutatedPath } from './shell/mutated-path.ts'
