import { isSkillError, type SkillDocument, type FolderEntry, type SkillFolder } from '@repertoire/skill-md/internal'
import { formatRules } from '../disclosure/skill-content.ts'
import { findHandedOut, openToolTable, isScriptFile } from '@repertoire/gate/internal'
import type { ScriptCheck } from '../ports/script-runner.ts'
import { checkScripts } from './check-scripts.ts'

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
  const handedOut = await findHandedOut(allowedTools, openToolTable({}).of(undefined))
  const commands = [...(hooks?.pre ?? []), ...(hooks?.post ?? [])]
  const { files, withheld } = await folder.list()
  const scripts = [...files, ...withheld.files].filter(isScriptFile)
  const defined = definition === undefined || definition.type === 'instruction' ? [] : [document.body ?? '']
  const texts = [...commands, ...defined, ...(await textsOf(folder, scripts))]
  return {
    ...(allowedTools !== undefined && { allowedTools: formatRules(allowedTools) }),
    disallowedTools: formatRules(disallowedTools ?? []),
    runsCode: handedOut.runsCode,
    unknownPrograms: handedOut.unknown,
    rulesWithoutEffect: handedOut.noEffect.map(({ rule }) => rule),
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
