import { type ListingStyle, LISTING_STYLES, renderListing, type Skill } from '@repertoire/core'
import type { ShownSkill } from './text-scorer.ts'

/** A way to list skills. */
export interface ListingRule {
  readonly name: string
  readonly list: (skills: readonly Skill[]) => readonly ShownSkill[]
}

/** The context window that every rule is given, in tokens. */
const CONTEXT_WINDOW = 200_000

/** Ours where the model has a tool that finds skills. */
export const BESIDE_SEARCH: ListingRule = {
  name: 'ours, section, beside a search',
  list: (skills) => ours(skills, 'section', true),
}

/**
 * Everything of everything, ours in every style, and what two peers do, each with the budget that it has by default. The
 * peers are not run: their rules are rebuilt here from what is known of them, and may differ in what is not.
 */
export const LISTING_RULES: readonly ListingRule[] = [
  {
    name: 'whole descriptions',
    list: (skills) => skills.map(({ name, manifest }) => ({ name, description: manifest.description })),
  },
  ...LISTING_STYLES.map((style): ListingRule => ({ name: `ours, ${style}`, list: (skills) => ours(skills, style) })),
  BESIDE_SEARCH,
  { name: 'Claude Code (rebuilt, not run): 1 % of the window', list: claudeCode },
  { name: 'codex (rebuilt, not run): 2 % of the window', list: codex },
]

/** What our list says of each skill, read back from the entries of its text. */
function ours(skills: readonly Skill[], style: ListingStyle, searchable = false): readonly ShownSkill[] {
  const { text, tools, cuts } = renderListing(skills, style, { contextWindow: CONTEXT_WINDOW }, [], { searchable })
  const dropped = new Set(cuts.dropped)
  const bare = new Set(cuts.withoutDescription)
  const described = descriptionsIn(
    style,
    text,
    tools.map(({ description }) => description),
  )
  let next = 0
  return skills
    .filter(({ name }) => !dropped.has(name))
    .map(({ name }) => (bare.has(name) ? { name } : { name, description: described[next++] ?? '' }))
}

const ENTRIES: Readonly<Record<Exclude<ListingStyle, 'tools'>, RegExp>> = {
  xml: /<skill name="[^"]*"(?: location="[^"]*")?>(.*)<\/skill>|<description>(.*?)<\/description>/g,
  section: /^- [^\n]+?: (.*)$/gm,
  tool: /^- [^\n]+?: (.*)$/gm,
  matched: /^## Skill: .*\n\nDescription: (.*)$/gm,
}

function descriptionsIn(style: ListingStyle, text: string, tools: readonly string[]): readonly string[] {
  if (style === 'tools') return tools
  return [...text.matchAll(ENTRIES[style])].map(([, tight, spaced]) => tight ?? spaced ?? '')
}

/**
 * Claude Code's as far as it is known: 1 % of the window at four characters a token. What does not fit is cut to a common length; if that would
 * be less than 20 characters, the names alone are listed, and of these as many as have room.
 */
function claudeCode(skills: readonly Skill[]): readonly ShownSkill[] {
  const room = CONTEXT_WINDOW * 0.01 * 4
  const names = skills.reduce((sum, { name }) => sum + `- ${name}: \n`.length, 0)
  const length = commonLength(skills, room - names)
  if (length >= 20) return skills.map((skill) => cutTo(skill, length))
  return upTo(
    room,
    skills.map(({ name }) => ({ name })),
    ({ name }) => name.length + 3,
  )
}

/**
 * codex's as far as it is known: 2 % of the window at four characters a token, each entry with its path. What does not fit is cut to a common
 * length, down to none at all; then entries are left out, the last of the list first.
 */
function codex(skills: readonly Skill[]): readonly ShownSkill[] {
  const room = CONTEXT_WINDOW * 0.02 * 4
  const length = commonLength(skills, room - skills.reduce((sum, skill) => sum + overhead(skill), 0))
  if (length > 0) return skills.map((skill) => cutTo(skill, length))
  const paths = new Map(skills.map((skill) => [skill.name, overhead(skill)]))
  return upTo(
    room,
    skills.map(({ name }) => ({ name })),
    ({ name }) => paths.get(name)!,
  )
}

/** What codex shows of a skill beside its description. */
function overhead({ name, path }: Skill): number {
  return `- ${name}:  (file: ${path})\n`.length
}

function cutTo({ name, manifest: { description } }: Skill, length: number): ShownSkill {
  return { name, description: description.slice(0, length) }
}

/** The length to which all descriptions have to be cut to take so many characters together. */
function commonLength(skills: readonly Skill[], room: number): number {
  let length = 0
  const sizeAt = (limit: number): number =>
    skills.reduce((sum, { manifest }) => sum + Math.min(limit, manifest.description.length), 0)
  while (length < 2_000 && sizeAt(length + 1) <= room) length++
  return length
}

function upTo(room: number, list: readonly ShownSkill[], sizeOf: (skill: ShownSkill) => number): readonly ShownSkill[] {
  let left = room
  return list.filter((skill) => (left -= sizeOf(skill)) >= 0)
}
