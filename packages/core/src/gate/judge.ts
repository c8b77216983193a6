import { type CallContext, type Commands, type GatedCall, readCall, readRealCall } from './call.ts'
import { comparesCommands } from './effective.ts'
import { type KnownTool, shellTool, usesOfCall } from './host-tools/toolset.ts'
import { COMMANDS } from './lazy-commands.ts'
import { lazyImport } from '../lazy-import.ts'
import { comparesArguments, createAskCheck, createPolicyCheck, type GateRefusal } from './policy-check.ts'
import { joinPolicies, type Policy, saysNothing } from './policy.ts'
import type { ProtectedFile } from './protect/protected-file.ts'
import { scriptReadBy, scriptReason } from './script/read.ts'
import { quote, quoteName } from '../text/quote.ts'
import type { GateSettings } from './settings.ts'
import { enforce, type GatedSkill, skillsPolicy } from './skills.ts'

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

/** What many programs never need. */
const PROTECTION = lazyImport(() => import('./protect/protected-file.ts'))

/**
 * Judges a call of a host's tool by everything that there is to judge it by: what the host allows, denies and protects,
 * the rules of the active skills, and whether it reads one of their scripts. By text alone: no file is touched, and the
 * same call always gets the same answer in the same words. Returns a promise only where something has to be imported.
 * @param call under the name by which the host knows the tool
 * @param active the active skills, the bottom of the stack first
 */
export function judge(
  call: GatedCall,
  active: readonly GatedSkill[],
  context: GateContext,
): Judgement | Promise<Judgement> {
  const { gate } = context
  // Nothing speaks of any call: so it is before the first skill is active, where the host has no policy.
  if (active.length === 0 && gate.protect.length === 0 && saysNothing(gate.host)) return ALLOWED
  const skills = skillsPolicy(active, gate)
  const needs = { protection: gate.protect.length > 0, commands: needsCommands(call, skills, context) }
  const isMissing =
    (needs.protection && PROTECTION.loaded === undefined) || (needs.commands && COMMANDS.loaded === undefined)
  if (isMissing) return importAll(needs).then((modules) => judgeWith(call, { active, skills }, context, modules))
  return judgeWith(call, { active, skills }, context, {
    protection: needs.protection ? PROTECTION.loaded : undefined,
    commands: needs.commands ? COMMANDS.loaded : undefined,
  })
}

const ALLOWED: Judgement = Object.freeze({ allowed: true, isPreapproved: () => false })

function needsCommands(call: GatedCall, skills: Policy, { gate, tools }: GateContext): boolean {
  const { host, protect } = gate
  // A refusal says what all rules together allow.
  if (comparesCommands(joinPolicies(host, skills), tools)) return true
  const known = tools.find(call.tool)
  if (known.argument?.kind !== 'shell' && !mayBeShell(known)) return false
  if (protect.length > 0) return true
  const uses = { name: call.tool, ...usesOfCall(known, call.input) }
  return comparesArguments(host, uses, tools) || comparesArguments(skills, uses, tools)
}

/** What many programs never need. It is imported before the judgement, which itself waits for nothing. */
interface Modules {
  readonly protection: typeof import('./protect/protected-file.ts') | undefined
  readonly commands: Commands | undefined
}

async function importAll(needs: { readonly protection: boolean; readonly commands: boolean }): Promise<Modules> {
  const protection = !needs.protection
    ? undefined
    : PROTECTION.loaded === undefined
      ? await PROTECTION.load()
      : PROTECTION.loaded
  const commands = !needs.commands ? undefined : COMMANDS.loaded === undefined ? await COMMANDS.load() : COMMANDS.loaded
  return { protection, commands }
}

function judgeWith(
  call: GatedCall,
  { active, skills }: { readonly active: readonly GatedSkill[]; readonly skills: Policy },
  { gate, tools, cwd, scriptTool }: GateContext,
  { protection, commands }: Modules,
): Judgement {
  const { mode, host, protect } = gate
  const read = readCall(call, { tools, cwd }, commands)
  const real = readRealCall(read)
  const reads = real === undefined ? [read] : [read, real]
  const checkPolicy = createPolicyCheck(read, real)
  const checkProtected = (): GateRefusal | undefined => {
    const file = protection && firstOf(reads, (each) => protection.protectedBy(each, protect))
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

/** Whether rules that deny, or protected files, may take a call for a command. */
function mayBeShell({ maybe }: KnownTool): boolean {
  return maybe.some(({ argument, command }) => command !== undefined || argument?.kind === 'shell')
}

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
