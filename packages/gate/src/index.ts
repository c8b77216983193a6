/** `@repertoire/gate`: decides whether a rule covers a call of a tool. */
export type { GatedCall } from './call.ts'
export type { HostToolsOptions } from './host-tools/table.ts'
export { WELL_KNOWN_TOOLS, type WellKnownTool } from './host-tools/well-known.ts'
export { type Gate, type GateVerdict, openGate, type OpenGateOptions } from './open-gate.ts'
export type { GateRefusal } from './policy-check.ts'
export type { HostPolicy, RefusedBy } from './ports/gate.ts'
export type { HostTool, HostTools, ToolArgument } from './ports/tool.ts'
export { safeGitEnvironment } from './git-environment.ts'
