import { anyText, listOf, type OptionTable, readOptions, tableOf, tableWithout } from '@repertoire/skill-md/internal'
import { type GatedCall, isPlainObject } from './call.ts'
import { type HostToolsOptions, openToolTable } from './host-tools/table.ts'
import { judge } from './judge.ts'
import { POLICY_OPTIONS, cwdKind, hostToolsKind } from './options.ts'
import { resolveGate } from './settings.ts'
import type { GateRefusal } from './policy-check.ts'
import type { HostPolicy } from './ports/gate.ts'

type GatePolicy = Omit<HostPolicy, 'programs' | 'safeGit'>

/** What a gate judges calls by. */
export interface OpenGateOptions extends HostToolsOptions {
  /** Which calls are allowed, denied, asked about, and which files are protected. Default: every call is allowed. */
  readonly policy?: GatePolicy | undefined
  /** The names of all tools that the agent has. Default: unknown, so that a tool's name says what it is. */
  readonly hostTools?: readonly string[] | undefined
  /** The absolute folder that relative paths are relative to. Default: unknown; only absolute paths are certain. */
  readonly cwd?: string | undefined
}

/** What a gate says of a call: it is allowed, or refused with the reason in words for the model. */
export type GateVerdict =
  | {
      readonly allowed: true
      /** The rule of `policy.ask` that requires a question before the call runs. Absent: none does. */
      readonly askedBy?: string
    }
  | { readonly allowed: false; readonly refusal: GateRefusal }

/** Judges calls of tools by one policy. */
export interface Gate {
  /**
   * Judges one call by its text alone: no file is touched, and the same call always gets the same verdict.
   * @param call its input is the object of arguments that the tool gets. Parse it first if the model wrote JSON
   * @throws {TypeError} the call has no tool, or its input is not a plain object
   */
  judge(call: GatedCall): Promise<GateVerdict>
}

const OPTIONS: OptionTable<OpenGateOptions> = {
  policy: tableOf<GatePolicy>(tableWithout(POLICY_OPTIONS, 'programs', 'safeGit')),
  hostTools: listOf(anyText, "a list of tool names, such as ['Read']"),
  toolMap: hostToolsKind,
  cwd: cwdKind,
}

/**
 * Opens a gate for an agent's tools. It needs no session and no skills. Later changes of the options do not reach it.
 * @throws {TypeError} an option is unknown or wrong, or a rule cannot be read
 */
export function openGate(options: OpenGateOptions = {}): Gate {
  const { policy, hostTools, cwd, ...known } = readOptions('openGate', OPTIONS, options)
  const gate = resolveGate(policy === undefined ? {} : { policy })
  const table = openToolTable(known)
  const tools = table.of(hostTools)
  return {
    async judge(call) {
      const judgement = await judge(readCallOf('judge', call), [], { gate, tools, cwd })
      if (!judgement.allowed) return judgement
      return { allowed: true, askedBy: judgement.askedBy }
    },
  }
}

function readCallOf(name: string, call: unknown): GatedCall {
  const { tool, input } = Object(call) as Readonly<Record<string, unknown>>
  if (typeof tool !== 'string' || tool === '') {
    throw new TypeError(
      `${name}: the call has no \`tool\`. Give { tool, input }, such as { tool: 'Read', input: { file_path: 'a.md' } }.`,
    )
  }
  if (input !== undefined && !isPlainObject(input)) {
    throw new TypeError(
      `${name}: the \`input\` of the call is not a plain object. Give the tool's arguments, such as { command: 'git log' }; parse them first if they are JSON.`,
    )
  }
  return { tool, input }
}
