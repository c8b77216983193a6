/** For Repertoire's own packages. It may change in any release. */
export { readArguments, readCall, textsOf } from './call.ts'
export { READERS } from './command/readers.ts'
export { literalWords, simpleWords } from './command/simple.ts'
export { hostRules } from './host-tools/named.ts'
export { type HostToolsOptions, openToolTable, type ToolTable } from './host-tools/table.ts'
export { shellTool, type Toolset, usesOfCall } from './host-tools/toolset.ts'
export { type GateContext, judge, type Judgement, usableShell } from './judge.ts'
export { commands, loadCommands } from './load-commands.ts'
export {
  enforcedPolicy,
  type EnforcementOptions,
  type GateOptions,
  type GateSettings,
  resolveGate,
  skillsPolicy,
} from './settings.ts'
export { mayUse, NO_POLICY, type Policy, saysNothing, unmatchedPolicy, withheldBy } from './policy.ts'
export type { GateComposition, GateMode, HostPolicy, ProgramPolicy, RefusedBy } from './ports/gate.ts'
export type { HostTool, HostTools, ToolArgument } from './ports/tool.ts'
export { listRules } from './rules.ts'
export { isScriptOf, runLocation } from './skill-scripts.ts'
export { adviseOnRules, describeRules, type RuleFindings, unboundedText } from './rule-texts.ts'
export { scriptReason, scriptRunBy, type ScriptTools, type ScriptUse, scriptUse } from './scripts.ts'
export { canonicalTool } from './tool-name.ts'
export { liesWithin } from './within.ts'
