import type { CallContext, GatedCall } from './call.ts'
import { shellTool } from './host-tools/toolset.ts'
import { createAskCheck, createPolicyCheck, type GateRefusal } from './policy-check.ts'
import { commands, loadCommands } from './load-commands.ts'
import { joinPolicies, saysNothing } from './policy.ts'
import type { ProtectedFile } from './protect/protected-file.ts'
import { scriptReadBy, scriptReason } from './script/read.ts'
import { quote, quoteName } from '@repertoire/skill-md/internal'
import type { GateSettings } from './settings.ts'
import { enforce, type GatedSkill, skillsPolicy } from './skills.ts'
import { readCall, readRealCall } from './read-call.ts'

/** What calls are judged by, besides the skills that are active. */
export interface GateContext extends CallContext {
  readonly gate: GateSettings
  /** Returns the session's own tool that runs the scripts of a skill, where it is offered for it. */
  readonly scriptTool?: (skill: string) => string | undefined
}

/** All that the gate says of a call. */
export type Judgement =
  | {
      readonly allowed: true
      /**
       * Whether the host need not ask for its own approval: in the mode `preapprove`, where every active skill with
       * allowed tools lists the call.
       */
      readonly isPreapproved: () => boolean
      /** In the mode `advisory`: the refusal that a skill would have given. */
      readonly advised?: GateRefusal
      /** The rule of the host's policy by which somebody is to be asked first. Absent: nobody is. */
      readonly askedBy?: string
    }
  | { readonly allowed: false; readonly refusal: GateRefusal }

/**
 * Judges a call of a host's tool by everything that there is to judge it by: what the host allows, denies and protects,
 * the rules of the active skills, and whether it reads one of their scripts. By text alone: no file is touched, and the
 * same call always gets the same answer in the same words.
 * @param call under the name by which the host knows the tool
 * @param active the active skills, the bottom of the stack first
 */
export async function judge(call: GatedCall, active: readonly GatedSkill[], context: GateContext): Promise<Judgement> {
  const { gate, tools, cwd, scriptTool } = context
  const { mode, host, protect } = gate
  if (active.length === 0 && protect.length === 0 && saysNothing(host)) return ALLOWED
  await loadCommands()
  const skills = skillsPolicy(active, gate)
  const read = readCall(call, { tools, cwd })
  const real = readRealCall(read)
  const reads = real === undefined ? [read] : [read, real]
  const checkPolicy = createPolicyCheck(read, real)
  const checkProtected = (): GateRefusal | undefined => {
    const file = firstOf(reads, (each) => commands().protectedBy(each, protect))
    if (file === undefined) return undefined
    const refusedBy = { by: 'policy.protect', rule: file.file } as const
    return { code: 'TOOL_NOT_ALLOWED', reason: protectedReason(call.tool, file), refusedBy }
  }
  const checkScripts = (): GateRefusal | undefined => {
    const script = firstOf(reads, (each) => scriptReadBy(each, active))
    if (script === undefined) return undefined
    const reason = scriptReason(script, { runScript: scriptTool?.(script.skill), shell: shellTool(tools) })
    return { code: 'SCRIPT_READ_BLOCKED', reason, refusedBy: { by: 'script', skill: script.skill } }
  }
  const enforced = enforce(skills, gate)
  const refusal = checkPolicy(enforced) ?? checkProtected() ?? (mode === 'advisory' ? undefined : checkScripts())
  if (refusal !== undefined) return { allowed: false, refusal }
  const askedBy = host.asked === undefined ? undefined : createAskCheck(read, real)(host)
  const advised = mode === 'advisory' ? (checkPolicy(skills, joinPolicies(host, skills)) ?? checkScripts()) : undefined
  return {
    allowed: true,
    // What the skills deny has been refused by now. Rules that the host gave a skill were not asked for by its author.
    isPreapproved: () =>
      mode === 'preapprove' &&
      skills.lists.some(({ assumed }) => assumed !== true) &&
      checkPolicy({ lists: skills.lists }) === undefined,
    ...(advised !== undefined && { advised }),
    ...(askedBy !== undefined && { askedBy }),
  }
}

const ALLOWED: Judgement = { allowed: true, isPreapproved: () => false }

function firstOf<T, Found>(values: readonly T[], find: (value: T) => Found | undefined): Found | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}

function protectedReason(tool: string, { file, by }: ProtectedFile): string {
  const name = quoteName(file)
  const why =
    by === 'name'
      ? `it names ${name}, which the host's policy protects.`
      : `it may move, remove or replace a folder above ${name}, which the host's policy protects. Name what is meant in that folder instead.`
  return `${quote(tool)} may not be used like this here: ${why}`
}
