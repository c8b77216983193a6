import {
  type Diagnostic,
  type FolderEntry,
  type Schema,
  type SkillDocument,
  type SkillFolder,
  isObject,
  isSkillError,
  quoteName,
} from '@repertoire/skill-md/internal'
import { formatRules } from '../disclosure/skill-content.ts'
import { findRiskyRules, isScriptFile, openToolTable } from '@repertoire/gate/internal'
import type { ScriptCheck } from '../ports/script-runner.ts'
import { checkScripts } from './check-scripts.ts'
import { planOf } from './composite/plan.ts'
import { findDanger } from './dangerous.ts'
import { inlineInterpreter, inlineScript } from './inline-script.ts'
import { schemaProblem } from './parameters/validate.ts'
import { templateProblem, templateVariables } from './template/render.ts'

/** What a skill asks for and brings along, for the one who decides whether it is installed. */
export interface SkillDemands {
  /** `allowed-tools` as rules, as they are written; absent: it restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** `disallowed-tools` as rules. */
  readonly disallowedTools: readonly string[]
  /** Those of its rules that hand out programs which run code by their nature, such as `Bash(make:*)`. */
  readonly runsCode: readonly string[]
  /** Those of its rules that hand out programs which are not known here. */
  readonly unknownPrograms: readonly string[]
  /** Those of its rules that permit no call at all, such as `Bash(git log|cat:*)`. */
  readonly rulesWithoutEffect: readonly string[]
  /** Its scripts, hidden ones too, with what would read each. */
  readonly scripts: readonly ScriptCheck[]
  /** Commands that run before the activation, then those that run after the deactivation. */
  readonly hooks: readonly string[]
  /** Modules with tools that it brings, each as `module:Export`. */
  readonly toolsets: readonly string[]
  /** What a call of it does at once. Absent: it is activated. */
  readonly executes?: 'composite' | 'script' | 'template'
  /** Hosts whose addresses stand in its scripts, hooks and definition. A hint: an address can also be put together. */
  readonly hosts: readonly string[]
  /** Executable files that are not scripts by their place or name. */
  readonly programs: readonly string[]
}

/** The largest text in which addresses are looked for, and the most hosts that are named. */
const [MAX_TEXT_BYTES, MAX_HOSTS] = [256 * 1024, 50]
const ADDRESS = /\b(?:https?|wss?|ftp|ssh|git):\/\/(?:[^\s/@'"]{1,200}@)?([A-Za-z\d][A-Za-z\d.-]{0,252})/g

/** See `authoring.ts`. */
export async function inspectDemands(document: SkillDocument, folder: SkillFolder): Promise<SkillDemands> {
  const { manifest, definition } = document
  const { allowedTools, disallowedTools, hooks, toolsets = [] } = manifest ?? {}
  const risky = await findRiskyRules(allowedTools, openToolTable({}).of(undefined))
  const commands = [...(hooks?.pre ?? []), ...(hooks?.post ?? [])]
  const { files, withheld } = await folder.list()
  const scripts = [...files, ...withheld.files].filter(isScriptFile)
  const defined = definition === undefined || definition.type === 'instruction' ? [] : [document.body ?? '']
  const texts = [...commands, ...defined, ...(await textsOf(folder, scripts))]
  return {
    ...(allowedTools !== undefined && { allowedTools: formatRules(allowedTools) }),
    disallowedTools: formatRules(disallowedTools ?? []),
    runsCode: risky.runsCode,
    unknownPrograms: risky.unknown,
    rulesWithoutEffect: risky.noEffect.map(({ rule }) => rule),
    scripts: await checkScripts(folder),
    hooks: commands,
    toolsets,
    ...(definition !== undefined && definition.type !== 'instruction' && { executes: definition.type }),
    hosts: hostsIn(texts),
    programs: [...files, ...withheld.files]
      .filter((file) => file.executable && !isScriptFile(file))
      .map(({ path }) => path),
  }
}

async function textsOf(folder: SkillFolder, scripts: readonly FolderEntry[]): Promise<readonly string[]> {
  const texts: string[] = []
  for (const { path, size } of scripts) {
    if (size > MAX_TEXT_BYTES) continue
    try {
      const bytes = await folder.read(path, { withheld: true, maxBytes: MAX_TEXT_BYTES })
      texts.push(new TextDecoder().decode(bytes))
    } catch (error) {
      // A script that cannot be read is named as such among the scripts.
      if (!isSkillError(error)) throw error
    }
  }
  return texts
}

function hostsIn(texts: readonly string[]): readonly string[] {
  const hosts = new Set<string>()
  for (const text of texts) {
    for (const [, host = ''] of text.matchAll(ADDRESS)) hosts.add(host.toLowerCase().replace(/\.+$/, ''))
  }
  return [...hosts].toSorted().slice(0, MAX_HOSTS)
}

/**
 * Tells the author of a skill what keeps it from ever being executed: a broken template, a plan that uses parameters the
 * skill does not have, a dangerous pattern, parameters that cannot be compared with a value.
 */
export async function adviseOnDefinition(
  { manifest, definition }: Pick<SkillDocument, 'manifest' | 'definition'>,
  path: string,
): Promise<readonly Diagnostic[]> {
  if (manifest === undefined || definition === undefined || definition.type === 'instruction') return []
  const { parameters } = manifest
  const found: string[] = []
  const unusable = parameters && (await schemaProblem(parameters))
  if (unusable !== undefined) found.push(`The parameters ${unusable}.`)
  if (definition.type === 'template') {
    const problem = await templateProblem(definition.template)
    const unknown = problem === undefined ? await unknownVariable(definition.template, parameters) : undefined
    if (unknown !== undefined) {
      found.push(`The template uses the variable ${quoteName(unknown)}, which is not a parameter.`)
    }
    if (problem !== undefined) {
      found.push(`${problem.line === undefined ? '' : `Line ${problem.line} of the template: `}${problem.problem}`)
    }
  } else if (definition.type === 'composite') {
    const planned = planOf(definition.steps, parameters, {})
    if ('problem' in planned) found.push(planned.problem)
  } else {
    const inline = inlineScript(definition.script, definition.language, NOTHING_GIVEN)
    if ('problem' in inline) found.push(inline.problem)
    const danger = await findDanger(definition.script, inlineInterpreter(definition.script, definition.language))
    if (danger !== undefined)
      found.push(`Line ${danger.line} of the script holds a dangerous pattern (${danger.pattern}).`)
  }
  return found.map((message) => ({
    code: 'DEFINITION_INVALID',
    severity: 'error',
    path,
    message,
    hint: 'Correct it: as it is, every call of the skill is refused.',
  }))
}

const NOTHING_GIVEN = { values: {}, hasSchema: false, files: [] }

/** Returns a variable of a template that no call can give it; undefined where there is none. */
async function unknownVariable(template: string, parameters: Schema | undefined): Promise<string | undefined> {
  const { properties, additionalProperties = false } = parameters ?? { additionalProperties: true }
  if (additionalProperties !== false) return undefined
  const known = isObject(properties) ? properties : {}
  return (await templateVariables(template)).find((name) => !Object.hasOwn(known, name))
}
