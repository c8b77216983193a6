import type { Skill } from '../types.ts'
import { escapeXml, oneLine, stripInvisible } from './escape.ts'

/**
 * Where and how the list of skills stands. `xml`: an `<available_skills>` block in the system prompt; `section`: a
 * Markdown section there; `tool`: inside the description of the activation tool.
 */
export type ListingStyle = 'xml' | 'section' | 'tool'

/** What is listed of a skill: never its body. */
export type ListedSkill = Pick<Skill, 'name' | 'location'> & {
  readonly manifest: Pick<Skill['manifest'], 'description'>
}

/**
 * The skills as the `<available_skills>` block that the standard's reference implementation uses, escaped, in the
 * order given. Empty where there are none: an empty list would only make a model ask for skills.
 */
export function listAsXml(skills: readonly ListedSkill[]): string {
  if (skills.length === 0) return ''
  const entries = skills.map(({ name, manifest, location }) =>
    [
      '<skill>',
      '<name>',
      escapeXml(name),
      '</name>',
      '<description>',
      escapeXml(stripInvisible(manifest.description)),
      '</description>',
      '<location>',
      escapeXml(stripInvisible(location)),
      '</location>',
      '</skill>',
    ].join('\n'),
  )
  return ['<available_skills>', ...entries, '</available_skills>'].join('\n')
}

/** The skills as a Markdown section, a line each. Empty where there are none. */
export function listAsSection(skills: readonly ListedSkill[]): string {
  if (skills.length === 0) return ''
  return ['## Available Skills', '', ...skills.map(asLine)].join('\n')
}

/** The skills as lines for a tool's description. Empty where there are none. */
export function listForTool(skills: readonly ListedSkill[]): string {
  return skills.map(asLine).join('\n')
}

function asLine({ name, manifest, location }: ListedSkill): string {
  return `- ${oneLine(name)}: ${oneLine(stripInvisible(manifest.description))} (${oneLine(stripInvisible(location))})`
}
