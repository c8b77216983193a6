import { anyText, checkOptions, listOf, type OptionTable, text } from '@repertoire/skill-md/internal'
import type { GatedCall } from './call.ts'
import { type HostToolsOptions, openToolTable } from './host-tools/table.ts'
import { judge } from './judge.ts'
import { hostToolsKind, policyKind } from './option-tables.ts'
import { mayUse } from './policy.ts'
import type { GateRefusal } from './policy-check.ts'
import type { HostPolicy } from './ports/gate.ts'
import { resolveGate } from './settings.ts'

/** What a gate judges calls by. */
export interface OpenGateOptions extends HostToolsOptions {
  /** Which calls are allowed, denied, asked about, and which files are protected. Default: every call is allowed. */
  readonly policy?: HostPolicy
  /** The names of all tools that the agent has. Default: unknown, so that a tool's name says what it is. */
  readonly hostTools?: readonly string[]
  /** The absolute folder that relative paths are relative to. Default: unknown, so that only absolute paths are certain. */
  readonly cwd?: string
}

/** What a gate says of a call: it is allowed, or refused with the reason in words for the model. */
export type GateVerdict =
  | {
      readonly allowed: true
      /** The rule of `policy.ask` by which somebody is to be asked before the call runs. Absent: nobody is. */
      readonly askedBy?: string
    }
  | { readonly allowed: false; readonly refusal: GateRefusal }

/** Judges calls of tools by one policy. */
export interface Gate {
  /** Judges one call by its text alone: no file is touched, and the same call always gets the same verdict. */
  judge(call: GatedCall): Promise<GateVerdict>
  /** Whether some call of a tool could be allowed. For hiding a tool from a model; it grants nothing. */
  mayUse(tool: string): boolean
}

const OPTIONS: OptionTable<OpenGateOptions> = {
  policy: policyKind,
  hostTools: listOf(anyText, "a list of tool names, such as ['Read']"),
  tools: hostToolsKind,
  toolRoot: text,
  cwd: text,
}

/**
 * Opens a gate for an agent's tools. It needs no session and no skills.
 * @throws {TypeError} an option is unknown or wrong, or a rule cannot be read
 */
export function openGate(options: OpenGateOptions = {}): Gate {
  checkOptions('openGate', OPTIONS, options)
  const { policy, hostTools, cwd, ...table } = options
  const gate = resolveGate(policy === undefined ? {} : { policy })
  const tools = openToolTable(table).of(hostTools)
  return {
    async judge({ tool, input }) {
      const judgement = await judge({ tool, input }, [], { gate, tools, cwd })
      if (!judgement.allowed) return judgement
      return { allowed: true, ...(judgement.askedBy !== undefined && { askedBy: judgement.askedBy }) }
    },
    mayUse: (tool) => mayUse(gate.host, tool, tools),
  }
}

/**
 * Says whether a rule, such as `Bash(git log:*)`, certainly covers everything that a call may do.
 * @param options what is known of the agent's tools and its working folder
 * @throws {TypeError} the rule cannot be read, or an option is unknown or wrong
 */
export async function ruleCovers(
  rule: string,
  call: GatedCall,
  options: Omit<OpenGateOptions, 'policy'> = {},
): Promise<boolean> {
  const { allowed } = await openGate({ ...options, policy: { allow: [rule] } }).judge(call)
  return allowed
}
