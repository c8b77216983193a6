import type { Skill } from '../ports/skill.ts'
import { escapeXml, oneLine, stripInvisible } from '../text/escape.ts'

/** What is listed of a skill: never its body. */
export type ListedSkill = Pick<Skill, 'name' | 'location'> & {
  readonly manifest: Pick<Skill['manifest'], 'description' | 'whenToUse'>
}

/** A skill as it is listed. */
export interface ListEntry {
  readonly name: string
  readonly location: string
  /** Perhaps shortened. Absent: it was left out, and the name stands alone. */
  readonly description?: string
}

/** The description of a skill in a list, followed by when to use it, without characters that are not shown. */
export function listedDescription({ description, whenToUse }: ListedSkill['manifest']): string {
  return stripInvisible(whenToUse === undefined ? description : `${description}\n${whenToUse}`)
}

/** The entry of a skill that is listed whole. */
export function toEntry({ name, location, manifest }: ListedSkill): ListEntry {
  return { name, location, description: listedDescription(manifest) }
}

/**
 * The skills as the `<available_skills>` block that the standard's reference implementation uses, escaped, in the
 * order given. Empty where there are none: an empty list would only make a model ask for skills.
 */
export function listAsXml(skills: readonly ListedSkill[]): string {
  return xmlList(skills.map(toEntry), 0)
}

/** The skills as a Markdown section, a line each. Empty where there are none. */
export function listAsSection(skills: readonly ListedSkill[]): string {
  return sectionList(skills.map(toEntry), 0)
}

/** The skills as lines for a tool's description. Empty where there are none. */
export function listForTool(skills: readonly ListedSkill[]): string {
  return lineList(skills.map(toEntry), 0)
}

/** The block, with `unlisted` skills that are not in it. */
export function xmlList(entries: readonly ListEntry[], unlisted: number): string {
  if (entries.length === 0 && unlisted === 0) return ''
  const note = unlisted === 0 ? [] : ['<not_listed>', notListedNote(entries.length, unlisted), '</not_listed>']
  return ['<available_skills>', ...entries.map(asElement), ...note, '</available_skills>'].join('\n')
}

/** The section, with `unlisted` skills that are not in it. */
export function sectionList(entries: readonly ListEntry[], unlisted: number): string {
  const lines = lineList(entries, unlisted)
  return lines === '' ? '' : `## Available Skills\n\n${lines}`
}

/** The lines, with `unlisted` skills that are not among them. */
export function lineList(entries: readonly ListEntry[], unlisted: number): string {
  const lines = entries.map(asLine)
  return (unlisted === 0 ? lines : [...lines, `- ${notListedNote(entries.length, unlisted)}`]).join('\n')
}

/** Says how many skills a list does not hold. No cut is silent. */
export function notListedNote(listed: number, unlisted: number): string {
  return `(${howMany(listed, unlisted)} not listed here, for lack of space. Each can be activated by its name.)`
}

/** The same of tools. */
export function notOfferedNote(offered: number, unlisted: number, prefix: string): string {
  return `(${howMany(offered, unlisted)} not among the tools, for lack of space. Each can be called as \`${prefix}\` and its name.)`
}

function howMany(shown: number, more: number): string {
  return `${more}${shown === 0 ? '' : ' more'} ${more === 1 ? 'skill is' : 'skills are'}`
}

function asElement({ name, description, location }: ListEntry): string {
  // Where there is no room for more, there is none for line breaks either.
  if (description === undefined) return `<skill><name>${escapeXml(name)}</name></skill>`
  return [
    '<skill>',
    '<name>',
    escapeXml(name),
    '</name>',
    '<description>',
    escapeXml(description),
    '</description>',
    '<location>',
    escapeXml(stripInvisible(location)),
    '</location>',
    '</skill>',
  ].join('\n')
}

function asLine({ name, description, location }: ListEntry): string {
  if (description === undefined) return `- ${oneLine(name)}`
  return `- ${oneLine(name)}: ${oneLine(description)} (${oneLine(stripInvisible(location))})`
}
