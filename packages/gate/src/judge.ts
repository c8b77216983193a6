import { quote, quoteName } from '@repertoire/skill-md/internal'
import { type CallContext, type GatedCall, readCall, readCallIn, type ReadCall } from './call.ts'
import { createDenyCheck, type DeniedBy } from './deny.ts'
import { shellTool } from './host-tools/toolset.ts'
import { loadCommands } from './load-commands.ts'
import { baseFolder, isOnDrive, readPath } from './paths/path.ts'
import { type GateRefusal, policyRefusal } from './policy-check.ts'
import { joinPolicies, type Policy, saysNothing } from './policy.ts'
import { protectedBy, type ProtectedFile } from './protect.ts'
import { type RuleList, ruleText } from './rules.ts'
import { scriptReadBy, scriptReason } from './scripts.ts'
import { enforce, type GatedSkill, type GateSettings, skillsPolicy } from './settings.ts'

/**
 * The same call with its paths as they are in the real file system, for a tool that sees one of its own: below the
 * working folder, or relative where that is not known. Undefined: the tool sees the real one, or is not given paths.
 */
function readRealCall(call: ReadCall): ReadCall | undefined {
  const { tool, input, cwd } = call
  const { root, argument } = call.known
  if (root === undefined || argument?.kind !== 'path' || typeof input !== 'object' || input === null) return undefined
  // Any text may be a path, or a folder that one is relative to.
  const translate = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return realPath(value, root, cwd)
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
    if (Array.isArray(value)) return value.map((item) => translate(item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, translate(item, depth + 1)]))
  }
  return readCallIn({ tool, input: translate(input, 0) }, call, cwd)
}

/** How deep an input is translated. */
const MAX_DEPTH = 100

function realPath(value: string, root: string, cwd: string | undefined): string {
  const windows = isOnDrive(root)
  const base = baseFolder(root, windows)
  const path = readPath(value, windows)
  if (base === undefined || 'problem' in path || path.root !== base.root) return value
  if (base.parts.some((part, index) => part !== path.parts[index])) return value
  const inside = path.parts.slice(base.parts.length).join('/')
  return cwd === undefined ? inside || '.' : `${cwd.replace(/[/\\]$/, '')}/${inside}`
}

/** What calls are judged by, besides the skills that are active. */
export interface GateContext extends CallContext {
  readonly gate: GateSettings
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
  const real = readRealCall(read)
  const reads = real === undefined ? [read] : [read, real]
  // Rules that deny also hold for the call in the real file system, if its tool sees another.
  const denyChecks = reads.map(createDenyCheck)
  const findDenial = (list: RuleList): DeniedBy | undefined => firstOf(denyChecks, (check) => check(list))
  const checkPolicy = (policy: Policy, inForce?: Policy): GateRefusal | undefined =>
    policyRefusal(read, findDenial, policy, inForce)
  const checkProtected = (): GateRefusal | undefined => {
    const file = firstOf(reads, (each) => protectedBy(each, protect))
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
  // As with rules that deny, a call that cannot be judged matches.
  const asking = host.asked?.flatMap(({ rules }) => rules).find((rule) => findDenial({ rules: [rule] }) !== undefined)
  const advised = mode === 'advisory' ? (checkPolicy(skills, joinPolicies(host, skills)) ?? checkScripts()) : undefined
  return {
    allowed: true,
    // What the skills deny has been refused by now. Rules that the host gave a skill were not asked for by its author.
    isPreapproved: () =>
      mode === 'preapprove' &&
      skills.lists.some(({ assumed }) => assumed !== true) &&
      checkPolicy({ lists: skills.lists }) === undefined,
    advised,
    ...(asking !== undefined && { askedBy: ruleText(asking) }),
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
  const why = {
    name: `it names ${name}, which the host's policy protects.`,
    folder: `it may move, remove or replace a folder above ${name}, which the host's policy protects. Name what is meant in that folder instead.`,
    text: `its text mentions ${name} or a folder of it, which the host's policy protects. Leave that name out.`,
  }
  return `${quote(tool)} may not be used like this here: ${why[by]}`
}
