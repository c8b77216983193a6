/** For Repertoire's own packages. It may change in any release. */
export { argumentValues } from './arguments.ts'
export { adviseOnRules, findRiskyRules, rulesWithoutEffect } from './rule-advice.ts'
export { hostRules } from './host-tools/named.ts'
export { type HostToolsOptions, openToolTable } from './host-tools/table.ts'
export { opensFiles, shellTool, type Toolset, type ToolTable, usesOfCall } from './host-tools/toolset.ts'
export { WELL_KNOWN_TOOLS, type WellKnownTool } from './host-tools/well-known.ts'
export { type GateContext, judge, type Judgement, readCall } from './judge.ts'
export { commands, loadCommands } from './load-commands.ts'
export {
  cwdKind,
  enforcedPolicy,
  type EnforcementOptions,
  type GateOptions,
  type GateSettings,
  hostToolsKind,
  policyKind,
  resolveGate,
  rulesKind,
  skillsPolicy,
} from './settings.ts'
export { mayUse, type Policy, saysNothing, unmatchedPolicy, withheldBy } from './policy.ts'
export type {
  GateComposition,
  GateMode,
  HostPolicy,
  Outcome,
  ProgramPolicy,
  Refusal,
  RefusalCode,
  RefusedBy,
} from './ports/gate.ts'
export type {
  FunctionTool,
  HostTool,
  HostTools,
  Mount,
  MountFile,
  MountRequest,
  SkillMounts,
  ToolArgument,
  ToolCall,
  ToolDefinition,
} from './ports/tool.ts'
export { listRules } from './rules.ts'
export { hasScriptExtension, isScriptFile, isScriptOf, runLocation } from './script/skill.ts'
export { scriptReason } from './script/read.ts'
export { safeGitEnvironment } from './shell/git-environment.ts'
export { canonicalTool } from './tool-name.ts'
export { liesWithin } from './within.ts'
