import { quote, quoteName } from '@repertoire/skill-md/internal'
import { type CallContext, type GatedCall, readCall } from './call.ts'
import { createDenyCheck } from './deny.ts'
import { type ShellTool, shellTool, type Toolset } from './host-tools/toolset.ts'
import { loadCommands } from './load-commands.ts'
import { type GateRefusal, policyRefusal } from './policy-check.ts'
import { joinPolicies, mayUse, type Policy, saysNothing } from './policy.ts'
import { protectedBy, type ProtectedFile } from './protect.ts'
import { ruleText } from './rules.ts'
import { scriptReadBy, scriptReason } from './scripts.ts'
import { enforce, type GatedSkill, type GateSettings, skillsPolicy } from './settings.ts'

export interface GateContext extends CallContext {
  readonly gate: GateSettings
  readonly scriptTool?: (skill: string) => string | undefined
}

export type Judgement =
  | {
      readonly allowed: true
      /**
       * Whether the host need not ask for its own approval: in the mode `preapprove`, where every active skill with
       * allowed tools lists the call.
       */
      readonly isPreapproved: () => boolean
      readonly advised?: GateRefusal
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
  const skills = skillsPolicy(active, gate, tools)
  const read = readCall(call, { tools, cwd })
  const findDenial = createDenyCheck(read)
  const checkPolicy = (policy: Policy, inForce?: Policy): GateRefusal | undefined =>
    policyRefusal(read, findDenial, policy, inForce)
  const checkProtected = (): GateRefusal | undefined => {
    const file = protectedBy(read, protect)
    if (file === undefined) return undefined
    const refusedBy = { by: 'policy.protect', rule: file.file } as const
    return { code: 'TOOL_NOT_ALLOWED', reason: protectedReason(call.tool, file), refusedBy }
  }
  const enforced = enforce(skills, gate)
  const checkScripts = async (): Promise<GateRefusal | undefined> => {
    const script = scriptReadBy(read, active)
    if (script === undefined) return undefined
    const reason = await scriptReason(script, {
      runScript: scriptTool?.(script.skill),
      shell: usableShell(enforced, tools),
      permits: async (other) => (await judge(other, active, context)).allowed,
    })
    return { code: 'SCRIPT_READ_BLOCKED', reason, refusedBy: { by: 'script', skill: script.skill } }
  }
  const refusal = checkPolicy(enforced) ?? checkProtected() ?? (mode === 'advisory' ? undefined : await checkScripts())
  if (refusal !== undefined) return { allowed: false, refusal }
  // As with rules that deny, a call that cannot be judged matches.
  const asking = host.asked.flatMap(({ rules }) => rules).find((rule) => findDenial({ rules: [rule] }) !== undefined)
  const advised =
    mode === 'advisory' ? (checkPolicy(skills, joinPolicies(host, skills)) ?? (await checkScripts())) : undefined
  return {
    allowed: true,
    // What the skills deny has been refused by now. Rules that the host gave a skill were not asked for by its author.
    isPreapproved: () =>
      mode === 'preapprove' &&
      skills.lists.some(({ assumed }) => assumed !== true) &&
      checkPolicy({ ...skills, denied: [] }) === undefined,
    advised,
    ...(asking !== undefined && { askedBy: ruleText(asking) }),
  }
}

/** Returns the host's tool that runs commands, if a policy lets it be used at all. */
export function usableShell(policy: Policy, tools: Toolset): ShellTool | undefined {
  const shell = shellTool(tools)
  return shell !== undefined && mayUse(policy, shell.name, tools) ? shell : undefined
}

const ALLOWED: Judgement = { allowed: true, isPreapproved: () => false }

function protectedReason(tool: string, { file, by }: ProtectedFile): string {
  const name = quoteName(file)
  const why = {
    name: `it names ${name}, which the host's policy protects.`,
    folder: `it may move, remove or replace a folder above ${name}, which the host's policy protects. Name what is meant in that folder instead.`,
    text: `its text mentions ${name} or a folder of it, which the host's policy protects. Leave that name out.`,
  }
  return `${quote(tool)} may not be used like this here: ${why[by]}`
}
