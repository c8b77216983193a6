import { distance } from 'fastest-levenshtein'
import { readText, type YamlMap, type YamlNode } from '../yaml/tree.ts'
import { parseAllowedTools } from './allowed-tools.ts'
import { CLIENT_FIELDS } from './client-fields.ts'
import { EXTENSION_FIELDS } from './extension-fields.ts'
import type { Field } from './field.ts'
import { STANDARD_FIELDS } from './standard-fields.ts'

/** Every known field: those of the specification in its order, then our extensions, then those of other clients. */
export const FIELDS: ReadonlyMap<string, Field> = new Map(
  Object.entries({ ...STANDARD_FIELDS, ...EXTENSION_FIELDS, ...CLIENT_FIELDS }),
)

let byLetters: ReadonlyMap<string, string> | undefined

/** Returns the known field that a key misspells, such as `allowed_tools`, `allowedTools`, `Name`. */
export function findMisspelled(key: string): string | undefined {
  if (FIELDS.has(key)) return undefined
  byLetters ??= new Map([...FIELDS.keys()].map((name) => [letters(name), name]))
  return byLetters.get(LETTERS.test(key) ? key : letters(key))
}

/** A shorter name is too close to words that have nothing to do with it, such as `scopes` to `scope`. */
const MIN_TYPO_LETTERS = 10
const MAX_TYPOS = 2

const OTHER_NAMES = {
  'allowed-tools': 'permittedtools toolsallowed toolspermitted onlytools allowedtoolslist allowedtoollist',
  'disallowed-tools':
    'deniedtools denytools forbiddentools blockedtools excludedtools toolsdisallowed toolsdenied toolsforbidden ' +
    'toolsblocked toolsexcluded disallowedtoolslist deniedtoolslist',
  scope: 'scopeagents scopeagent scopetenants scopetenant scopeenvironments scopeenvironment',
}

/** Other names for a restriction, by their letters. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)

/**
 * Returns the field that a key almost spells, among those that restrict what a skill may do or who sees it: `allow-tools`,
 * `disalowed_tools`, `denied-tools`. A skill whose restriction is misspelled must not load as if it had none.
 */
export function findAlmostRestricting(key: string): string | undefined {
  if (FIELDS.has(key)) return undefined
  const typed = letters(key)
  const synonym = SYNONYMS.get(typed)
  if (synonym !== undefined || typed.length < MIN_TYPO_LETTERS - MAX_TYPOS) return synonym
  restricting ??= [...FIELDS]
    .filter(([, field]) => field.restricts === true)
    .map(([name]) => ({ name, letters: letters(name) }))
    .filter((field) => field.letters.length >= MIN_TYPO_LETTERS)
  return restricting.find(
    (field) =>
      Math.abs(field.letters.length - typed.length) <= MAX_TYPOS && distance(field.letters, typed) <= MAX_TYPOS,
  )?.name
}

/** What an unknown key may be meant for. It depends on the key alone. */
interface Likeness {
  /** The field that it spells wrongly, whatever its value is. */
  readonly misspelled: string | undefined
  /** Restricting fields with a short name that it almost spells. The value decides. */
  readonly similar: readonly string[]
  /** The one of these from which it differs by one letter, unless it is another word. */
  readonly doubtful: string | undefined
}

/** The same few unknown keys are in most skills, and a key is compared with every field. */
const likenesses = new Map<string, Likeness>()
const MAX_LIKENESSES = 256

function likenessOf(key: string): Likeness {
  const known = likenesses.get(key)
  if (known !== undefined) return known
  const similar = findSimilar(key)
  const likeness = {
    misspelled: findMisspelled(key) ?? findAlmostRestricting(key),
    similar,
    doubtful: findOneLetterOff(key, similar),
  }
  if (likenesses.size === MAX_LIKENESSES) likenesses.clear()
  likenesses.set(key, likeness)
  return likeness
}

/**
 * Returns the known field that an unknown key stands for: one that it misspells, a restricting one that it almost spells,
 * or a restricting one with a short name if the value shows that it is meant: `stauts: disabled`,
 * `scopes: { tenants: [a] }`. `scopes: [read]` and `state: active` are other fields.
 */
export function findMeant(key: string, value: YamlNode): string | undefined {
  const { misspelled, similar } = likenessOf(key)
  if (misspelled !== undefined || similar.length === 0) return misspelled
  return similar.find((name) => isSwapped(key, name) || FIELDS.get(name)!.isMeantBy!(value))
}

/** Returns the restricting field with a short name that an unknown key may misspell by one letter. */
export function findDoubtful(key: string): string | undefined {
  return likenessOf(key).doubtful
}

/** Whether a key is a name with two neighbouring letters swapped: no other word. */
function isSwapped(key: string, name: string): boolean {
  const typed = letters(key)
  const at = Array.from(name).findIndex((letter, index) => letter !== typed[index])
  return at >= 0 && typed === name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2)
}

/** Words that differ from a restricting field in one letter and have another meaning. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['scopes', 'scoped', 'score', 'slope', 'stats'])

function findOneLetterOff(key: string, similar: readonly string[]): string | undefined {
  const typed = letters(key)
  return OTHER_WORDS.has(typed) ? undefined : similar.find((name) => distance(name, typed) === 1)
}

/** A restricting field where it has no effect. */
interface MisplacedField {
  readonly key: string
  readonly line: number
  readonly known: string
}

/**
 * Returns the first key inside a value that is a restricting field, or almost spells one, such as `allowed-tools` under
 * `metadata`. A short name (`scope`, `status`) counts only if its value shows that the field is meant.
 */
export function findMisplaced(node: YamlNode): MisplacedField | undefined {
  if (node.kind === 'scalar') return undefined
  if (node.kind === 'list') {
    for (const item of node.items) {
      const found = findMisplaced(item)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const { key, line, value } of node.entries) {
    const field = FIELDS.get(key)
    const known = field === undefined ? findMeant(key, value) : (field.isMeantBy?.(value) ?? true) ? key : undefined
    if (known !== undefined && FIELDS.get(known)!.restricts === true) return { key, line, known }
    const found = findMisplaced(value)
    if (found !== undefined) return found
  }
  return undefined
}

function findSimilar(key: string): readonly string[] {
  if (FIELDS.has(key)) return []
  const typed = letters(key)
  const similar: string[] = []
  for (const [name, field] of FIELDS) {
    if (field.isMeantBy === undefined || Math.abs(name.length - typed.length) > MAX_TYPOS) continue
    if (distance(name, typed) <= MAX_TYPOS) similar.push(name)
  }
  return similar
}

let restricting: readonly { readonly name: string; readonly letters: string }[] | undefined

const LETTERS = /^[a-z]*$/

function letters(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** The tools of Claude Code, by the names that published skills use in `allowed-tools`. */
export const FOREIGN_TOOL_NAMES: ReadonlySet<string> = new Set(
  (
    'Agent AskUserQuestion Bash BashOutput Edit ExitPlanMode Glob Grep KillShell LS MultiEdit NotebookEdit NotebookRead ' +
    'Read Skill SlashCommand Task TodoRead TodoWrite WebFetch WebSearch Write'
  ).split(' '),
)

/** Keys of other clients that turn something off, with the value that does so. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['disabled', true],
  ['enabled', false],
])

/**
 * Returns the restricting field that a key of another client stands for at the top of a frontmatter. `tools: Read, Grep`
 * restricts a sub-agent of Claude Code; in other skills the field names clients or capabilities, so only a value that
 * names nothing but tools of Claude Code is taken for rules. `disabled: true` and `enabled: false` turn a skill off.
 */
export function findForeignRules(key: string, value: YamlNode, { entries }: YamlMap): string | undefined {
  const isAbsent = (known: string): boolean => entries.every((entry) => entry.key !== known)
  if (key === 'tools' || key === 'tool')
    return isAbsent('allowed-tools') && namesHostTools(value) ? 'allowed-tools' : undefined
  const isOff = value.kind === 'scalar' && SWITCHES.has(key) && value.value === SWITCHES.get(key)
  return isOff && isAbsent('status') ? 'status' : undefined
}

/** Whether a value is a list of rules that name only tools of Claude Code, in exactly its spelling, or of MCP servers. */
function namesHostTools(node: YamlNode): boolean {
  const texts = node.kind === 'list' ? node.items.map(readText) : [readText(node)]
  const known = texts.filter((text) => text !== undefined)
  if (known.length < texts.length) return false
  const result = parseAllowedTools(node.kind === 'list' ? known : known.join(' '))
  return (
    result.ok &&
    result.rules.length > 0 &&
    result.rules.every(({ tool }) => FOREIGN_TOOL_NAMES.has(tool) || tool.startsWith('mcp__'))
  )
}
