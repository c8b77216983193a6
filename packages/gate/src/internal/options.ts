/** What describes options, apart from the other entry: the root of core does not need the gate at once. */
export { safeGitEnvironment } from '../git-environment.ts'
export { WELL_KNOWN_TOOLS, type WellKnownTool } from '../host-tools/well-known.ts'
export { cwdKind, hostToolsKind, policyKind, rulesKind } from '../options.ts'
