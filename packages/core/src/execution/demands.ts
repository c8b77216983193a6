import { isScriptFile } from '@repertoire/skill-md/internal'
import { unboundedText } from '@repertoire/gate/internal'
import type { SkillDocument, SkillFolder } from '@repertoire/skill-md/internal'
import { formatRules } from '../disclosure/skill-content.ts'

/** What a skill asks for and brings, for the person who decides whether it is installed. */
export interface SkillDemands {
  /** `allowed-tools` as rules, as they are written; absent: it restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** What rules without bounds mean together, such as "may do anything that sed can do on this machine". Absent: none. */
  readonly unbounded?: string
  /** `disallowed-tools` as rules. */
  readonly disallowedTools: readonly string[]
  /** Paths of its scripts, hidden ones too. */
  readonly scripts: readonly string[]
  /** Commands that run before the activation, then those that run after the deactivation. */
  readonly hooks: readonly string[]
  /** Modules with tools that it brings, each as `module:Export`. */
  readonly toolsets: readonly string[]
  /** Hosts that its instructions link to. */
  readonly hosts: readonly string[]
}

const MAX_HOSTS = 50
/** `[text](https://host/…)`, `[label]: https://host/…` and `<https://host/…>`. */
const LINKED_HOST =
  /(?:\]\(\s{0,8}<?|\]:[ \t]{0,8}<?|<)(?:https?|wss?|ftp):\/\/(?:[^\s/@]{1,200}@)?([A-Za-z\d][A-Za-z\d.-]{0,252})/g

const NO_HOOKS = { pre: [], post: [] }

/** See `authoring.ts`. */
export async function inspectDemands(
  { manifest, body = '' }: SkillDocument,
  folder: SkillFolder,
): Promise<SkillDemands> {
  const { allowedTools, disallowedTools = [], hooks = NO_HOOKS, toolsets = [] } = manifest ?? {}
  const { files, withheld } = await folder.list()
  const hosts = [...body.matchAll(LINKED_HOST)].map(([, host = '']) => host.toLowerCase().replace(/\.+$/, ''))
  const unbounded = unboundedText(allowedTools)
  return {
    allowedTools: allowedTools && formatRules(allowedTools),
    ...(unbounded !== undefined && { unbounded }),
    disallowedTools: formatRules(disallowedTools),
    scripts: [...files, ...withheld.files].filter(isScriptFile).map(({ path }) => path),
    hooks: [...hooks.pre, ...hooks.post],
    toolsets,
    hosts: [...new Set(hosts)].toSorted().slice(0, MAX_HOSTS),
  }
}
