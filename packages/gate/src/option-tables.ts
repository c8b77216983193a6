import {
  either,
  flag,
  listOf,
  off,
  oneOf,
  type OptionKind,
  type OptionTable,
  recordOf,
  required,
  tableOf,
  text,
  withDefault,
} from '@repertoire/skill-md/internal'
import type { HostPolicy } from './ports/gate.ts'
import type { HostTool } from './ports/tool.ts'

/** A list of rules as in `allowed-tools`. */
export const rulesKind = listOf(text, 'a list of rules, such as "Read" or "Bash(git:*)"')

/** The options of a host's policy. */
export const POLICY_OPTIONS: OptionTable<HostPolicy> = {
  allow: rulesKind,
  deny: rulesKind,
  ask: rulesKind,
  protect: listOf(text, 'a list of paths'),
  programs: withDefault('any', oneOf('any', 'known')),
}

/** The host's policy. */
export const policyKind = tableOf<HostPolicy>(POLICY_OPTIONS)

const hostTool = tableOf<HostTool>({
  as: either(
    text,
    listOf(text, 'a list of tool names'),
    recordOf(text, 'an object with a tool name for each value of `by`'),
  ),
  by: text,
  shared: withDefault(false, flag),
  argument: either(text, listOf(text, 'a list of argument names')),
  kind: oneOf('shell', 'path', 'url', 'sql', 'text'),
  reads: either(flag, oneOf('below')),
  shell: oneOf('posix', 'other'),
  harmless: listOf(text, 'a list of argument names'),
  program: tableOf<{ name: string; args: string }>({ name: required(text), args: required(text) }),
  root: either(off, text),
})

/** The host's tools by their names. */
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
