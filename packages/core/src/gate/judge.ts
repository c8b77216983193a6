import { shellTool, toolArgument } from './arguments.ts'
import { type CallContext, type GatedCall, readCall } from './call.ts'
import { loadCommands } from './load-commands.ts'
import { comparesArguments, createPolicyCheck, type GateRefusal } from './policy-check.ts'
import type { ProtectedFile } from './protect/protected-file.ts'
import { scriptReadBy, scriptReason } from './script/read.ts'
import { quote, quoteName } from '../text/quote.ts'
import type { GateSettings } from './settings.ts'
import { enforce, type GatedSkill, skillsPolicy } from './skills.ts'

/** What calls are judged by, besides the skills that are active. */
export interface GateContext extends CallContext {
  readonly gate: GateSettings
  /** The names of the host's tools, so that a refusal can name the one that runs scripts. Absent: unknown. */
  readonly hostTools?: readonly string[] | undefined
}

/** All that the gate says of a call. */
export type Judgement =
  | {
      readonly allowed: true
      /**
       * Whether the host need not ask for its own approval: in the mode `preapprove`, where every active skill with
       * allowed tools lists the call. Computed when it is read.
       */
      readonly preapproved: boolean
      /** In the mode `advisory`: the refusal that a skill would have given. */
      readonly advised?: GateRefusal
    }
  | { readonly allowed: false; readonly refusal: GateRefusal }

/**
 * Judges a call of a host's tool by everything that there is to judge it by: what the host allows, denies and protects,
 * the rules of the active skills, and whether it reads one of their scripts. By text alone: no file is touched, and the
 * same call always gets the same answer in the same words.
 * @param call under the name by which the host knows the tool
 * @param active the active skills, the bottom of the stack first
 */
export async function judge(
  call: GatedCall,
  active: readonly GatedSkill[],
  { gate, toolArguments, cwd, hostTools }: GateContext,
): Promise<Judgement> {
  const { mode, host, protect } = gate
  const skills = skillsPolicy(active, gate)
  // What many programs never need is imported here, so that the judgement itself waits for nothing.
  const protection = protect.length === 0 ? undefined : await import('./protect/protected-file.ts')
  const needsCommands =
    toolArgument(toolArguments, call.tool)?.kind === 'shell' &&
    (protect.length > 0 || comparesArguments(host, call.tool) || comparesArguments(skills, call.tool))
  const read = readCall(call, { toolArguments, cwd }, needsCommands ? await loadCommands() : undefined)
  const checkPolicy = createPolicyCheck(read)
  const checkProtected = (): GateRefusal | undefined => {
    const file = protection?.protectedBy(read, protect)
    return file && { code: 'TOOL_NOT_ALLOWED', reason: protectedReason(call.tool, file) }
  }
  const checkScripts = (): GateRefusal | undefined => {
    const script = scriptReadBy(read, active)
    if (script === undefined) return undefined
    const reason = scriptReason(script, shellTool(toolArguments, hostTools))
    return { code: 'SCRIPT_READ_BLOCKED', reason, skill: script.skill }
  }
  const refusal =
    checkPolicy(enforce(skills, gate)) ?? checkProtected() ?? (mode === 'advisory' ? undefined : checkScripts())
  if (refusal !== undefined) return { allowed: false, refusal }
  const advised = mode === 'advisory' ? (checkPolicy(skills) ?? checkScripts()) : undefined
  return {
    allowed: true,
    get preapproved() {
      // What the skills deny has been refused by now.
      return mode === 'preapprove' && skills.lists.length > 0 && checkPolicy({ lists: skills.lists }) === undefined
    },
    ...(advised !== undefined && { advised }),
  }
}

function protectedReason(tool: string, { file, by }: ProtectedFile): string {
  const name = quoteName(file)
  const why =
    by === 'name'
      ? `it names ${name}, which the host's policy protects.`
      : `it may move, remove or replace a folder above ${name}, which the host's policy protects. Name what is meant in that folder instead.`
  return `${quote(tool)} may not be used like this here: ${why}`
}
