import { isNear } from '../text/nearest.ts'
import type { Manifest } from '../ports/manifest.ts'
import { readText, type YamlMap, type YamlNode } from '../yaml/tree.ts'
import { parseAllowedTools } from './allowed-tools.ts'
import { CLIENT_FIELDS } from './client-fields.ts'
import { EXTENSION_FIELDS } from './extension-fields.ts'
import type { Field } from './field.ts'
import { STANDARD_FIELDS } from './standard-fields.ts'

/** A field, with the property of the manifest that it is read into. */
export interface KnownField extends Field {
  readonly property: keyof Manifest
  /** Whether it is from the Agent Skills specification. Others are unknown in `strict`. */
  readonly isStandard: boolean
}

/** Every known field: those of the specification in its order, then our extensions, then those of other clients. */
export const FIELDS: ReadonlyMap<string, KnownField> = new Map(
  Object.entries({ ...STANDARD_FIELDS, ...EXTENSION_FIELDS, ...CLIENT_FIELDS }).map(([key, field]) => {
    const property = key.replaceAll(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof Manifest
    return [key, { ...field, property, isStandard: Object.hasOwn(STANDARD_FIELDS, key) }]
  }),
)

/** Other names of fields that restrict what a skill may do or who sees it, by their letters. */
const OTHER_NAMES = {
  'allowed-tools': 'permittedtools toolsallowed toolspermitted onlytools allowedtoolslist allowedtoollist',
  'disallowed-tools':
    'deniedtools denytools forbiddentools blockedtools excludedtools toolsdisallowed toolsdenied toolsforbidden ' +
    'toolsblocked toolsexcluded disallowedtoolslist deniedtoolslist',
  scope: 'scopeagents scopeagent scopetenants scopetenant scopeenvironments scopeenvironment tenants tenant',
}

/** The fields by their letters: a key with the same ones is the same word in another spelling. */
const BY_LETTERS: ReadonlyMap<string, string> = new Map([
  ...[...FIELDS.keys()].map((name) => [letters(name), name] as const),
  ...Object.entries(OTHER_NAMES).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
])

/** The fields that restrict something, each with its letters. */
const RESTRICTING = [...FIELDS].flatMap(([name, { restricts }]) =>
  restricts === true ? [[name, letters(name)] as const] : [],
)

/** Words that are near a restricting field and have another meaning. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['scopes', 'scoped', 'score', 'slope', 'stats', 'statue'])

/**
 * Returns the field that an unknown key means: one with the same letters (`allowedTools`, `Name`), another name of a
 * field that restricts what a skill may do or who sees it (`denied-tools`), or such a field with one or two slips of
 * the pen (`alowed-tools`, `scpoe`). A skill whose restriction is misspelled must not load as if it had none.
 */
export function findMeant(key: string): string | undefined {
  if (FIELDS.has(key)) return undefined
  const typed = letters(key)
  const same = BY_LETTERS.get(typed)
  if (same !== undefined || OTHER_WORDS.has(typed)) return same
  for (const [name, spelled] of RESTRICTING) if (isNear(typed, spelled)) return name
  return undefined
}

/** A restricting field if it has no effect. */
interface MisplacedField {
  readonly key: string
  readonly line: number
  readonly known: string
}

/**
 * Returns the first key inside a value that is, or means, a restricting field, such as `allowed-tools` under
 * `metadata`. A word under `scope` names no viewer, and is about something else.
 */
export function findMisplaced(node: YamlNode): MisplacedField | undefined {
  if (node.kind === 'scalar') return undefined
  const entries = node.kind === 'map' ? node.entries : []
  for (const { key, line, value } of entries) {
    const known = FIELDS.has(key) ? key : findMeant(key)
    if (known === undefined || FIELDS.get(known)!.restricts !== true) continue
    if (letters(key) !== 'scope' || value.kind !== 'scalar') return { key, line, known }
  }
  for (const value of node.kind === 'list' ? node.items : entries.map((entry) => entry.value)) {
    const found = findMisplaced(value)
    if (found !== undefined) return found
  }
  return undefined
}

function letters(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** The tools of Claude Code, by the names that published skills use in `allowed-tools`. */
const FOREIGN_TOOL_NAMES: ReadonlySet<string> = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS MultiEdit NotebookEdit NotebookRead ' +
    'Read Skill SlashCommand Task TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
)

/** Where files of sub-agents name their tools. */
export const SUB_AGENT_FIELDS: ReadonlySet<string> = new Set(['tools', 'tool'])

/** Keys of other clients that turn something off, with the value that does so. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['disabled', true],
  ['enabled', false],
])

/**
 * Returns the restricting field that a key of another client means at the top of a frontmatter. `tools: Read,
 * Grep` restricts a sub-agent of Claude Code; in other skills it names clients or capabilities, so only a value of
 * nothing but tools of Claude Code is taken for rules. `disabled: true` and `enabled: false` turn a skill off.
 */
export function findForeignRules(key: string, value: YamlNode, { entries }: YamlMap): string | undefined {
  const isAbsent = (known: string): boolean => entries.every((entry) => entry.key !== known)
  if (SUB_AGENT_FIELDS.has(key)) return isAbsent('allowed-tools') && namesHostTools(value) ? 'allowed-tools' : undefined
  const isOff = value.kind === 'scalar' && SWITCHES.has(key) && value.value === SWITCHES.get(key)
  return isOff && isAbsent('status') ? 'status' : undefined
}

/** Whether a value is a list of rules that name only tools of Claude Code, in its very spelling, or of MCP servers. */
function namesHostTools(node: YamlNode): boolean {
  const known = (node.kind === 'list' ? node.items : [node]).map((item) => readText(item) ?? '(')
  const result = parseAllowedTools(node.kind === 'list' ? known : known.join(' '))
  return (
    result.ok &&
    result.rules.length > 0 &&
    result.rules.every(({ tool }) => FOREIGN_TOOL_NAMES.has(tool) || tool.startsWith('mcp__'))
  )
}
