import {
  type OptionKind,
  type OptionTable,
  either,
  flag,
  listOf,
  off,
  oneOf,
  recordOf,
  required,
  tableOf,
  text,
  withDefault,
} from '@repertoire/skill-md/internal'
import type { HostPolicy } from './ports/gate.ts'
import type { HostTool } from './ports/tool.ts'

export const rulesKind = listOf(text, 'a list of rules, such as "Read" or "Bash(git:*)"')

export const POLICY_OPTIONS: OptionTable<HostPolicy> = {
  allow: rulesKind,
  deny: rulesKind,
  ask: rulesKind,
  protect: listOf(text, 'a list of paths'),
  programs: withDefault('any', oneOf('any', 'known')),
  safeGit: withDefault(false, flag),
}

export const policyKind = tableOf<HostPolicy>(POLICY_OPTIONS)

const hostTool = tableOf<HostTool>({
  as: either(text, recordOf(text, 'an object with a tool name for each value of `by`')),
  by: text,
  argument: either(text, listOf(text, 'a list of argument names')),
  kind: oneOf('shell', 'path', 'url', 'sql', 'text'),
  reads: either(flag, oneOf('below')),
  shell: oneOf('posix', 'other'),
  harmless: listOf(text, 'a list of argument names'),
  program: tableOf<{ name: string; args: string }>({ name: required(text), args: required(text) }),
})

/** The names that skills use for the host's tools. */
export const hostToolsKind = recordOf(
  either(text, off, hostTool),
  "an object with the host's tools by name, such as { runCommand: 'Bash' }",
)

/** The folder that relative paths are relative to. A relative one would hide what a call names from the policy. */
export const cwdKind: OptionKind = {
  expects: "an absolute path, such as '/project'",
  problem(value, path) {
    const isAbsolute = typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/])/.test(value)
    return isAbsolute ? undefined : `\`${path}\` is not an absolute path. Give ${this.expects}.`
  },
}
