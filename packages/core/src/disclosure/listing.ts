import {
  type Skill,
  type Manifest,
  type Schema,
  isObject,
  shownSchema,
  escapeXml,
  oneLine,
  stripInvisible,
  showName,
} from '@repertoire/skill-md/internal'

/** The part of a skill that a list shows: never its body. */
export type ListedSkill = Pick<Skill, 'name' | 'path'> & {
  readonly manifest: Pick<Skill['manifest'], 'description' | 'whenToUse'> & ParameterFields
}

/** A skill as a list shows it. */
export interface ListEntry {
  readonly name: string
  /** The path of its SKILL.md. Absent: it is not shown. */
  readonly location?: string
  /** The skill's description, perhaps shortened. Absent: it was left out, and only the name is shown. */
  readonly description?: string
}

/**
 * Returns a skill's description for a list, followed by when to use it and, of one that is executed, what it takes;
 * without invisible characters.
 */
export function listedDescription(manifest: ListedSkill['manifest']): string {
  const line = parametersLine(manifest)
  return line === undefined ? plainDescription(manifest) : `${plainDescription(manifest)}\n${line}`
}

/** Returns the same without what it takes, for a tool that has it as its input. */
export function plainDescription({ description, whenToUse }: ListedSkill['manifest']): string {
  return stripInvisible(whenToUse === undefined ? description : `${description}\n${whenToUse}`)
}

/** Returns an XML block with one line for each skill, and a note if there are `unlisted` skills. */
export function xmlList(entries: readonly ListEntry[], unlisted: number): string {
  if (entries.length === 0 && unlisted === 0) return ''
  const notes = notesOf(unlisted).map((note) => `<not_listed>${note}</not_listed>`)
  const elements = entries.map(xmlEntry)
  return ['<available_skills>', ...elements, ...notes, '</available_skills>'].join('\n')
}

export const SECTION_HEADING = '## Available Skills'

/** Returns the Markdown section, with a note if there are `unlisted` skills. */
export function sectionList(entries: readonly ListEntry[], unlisted: number): string {
  const lines = lineList(entries, unlisted)
  return lines === '' ? '' : `${SECTION_HEADING}\n\n${lines}`
}

/** Returns the lines, with a note if there are `unlisted` skills. */
export function lineList(entries: readonly ListEntry[], unlisted: number): string {
  return [...entries.map(lineEntry), ...notesOf(unlisted).map((note) => `- ${note}`)].join('\n')
}

function notesOf(unlisted: number): readonly string[] {
  return unlisted === 0 ? [] : [notListedNote(unlisted)]
}

/** Returns the note on how many skills a list leaves out, so that no cut is silent. */
export function notListedNote(unlisted: number): string {
  return `(Skills not listed here, for lack of space: ${unlisted}. Each can be activated by its name.)`
}

/** Returns the same note for tools of single skills. */
export function notOfferedNote(unlisted: number, prefix: string): string {
  return `(Skills not among the tools, for lack of space: ${unlisted}. Each can be called as \`${prefix}\` and its name.)`
}

/** Returns the element of one skill. */
export function xmlEntry({ name, description, location }: ListEntry): string {
  if (description === undefined) return `<skill name="${escapeXml(showName(name))}"/>`
  const path = location === undefined ? '' : ` location="${escapeXml(showName(location))}"`
  return `<skill name="${escapeXml(showName(name))}"${path}>${oneLine(description)}</skill>`
}

/** Returns the line of one skill. */
export function lineEntry({ name, description, location }: ListEntry): string {
  if (description === undefined) return `- ${oneLine(showName(name))}`
  const line = `- ${oneLine(showName(name))}: ${oneLine(description)}`
  return location === undefined ? line : `${line} (${oneLine(showName(location))})`
}

/**
 * A detail of a list that costs tokens and says nothing about what a skill is for: white space around its parts, what
 * the tool of a single skill takes if that is any text, and the path of each SKILL.md, which no tool asks for. A
 * tight list has none of them.
 */
export type ListingDetail = 'white-space' | 'arguments' | 'locations'

/** What of a skill says what it takes. */
type ParameterFields = Partial<Pick<Manifest, 'type' | 'parameters'>>

/** Values of one parameter that a list names. */
const MAX_VALUES = 8

const MAX_PARAMETERS = 12

/**
 * Returns the schema of what a skill takes, as the input of a tool; undefined where it takes a text. An instruction's
 * arguments are a text whatever it says.
 */
export function inputSchemaOf({ type = 'instruction', parameters }: ParameterFields): Schema | undefined {
  return type === 'instruction' || parameters === undefined ? undefined : shownSchema(parameters)
}

/** Returns a line on what a skill takes, for lists whose skills are called by name; undefined: nothing to say. */
function parametersLine({ type = 'instruction', parameters }: ParameterFields): string | undefined {
  const properties = parameters?.['properties']
  if (type === 'instruction' || !isObject(properties)) return undefined
  const required = new Set(Array.isArray(parameters?.['required']) ? (parameters['required'] as unknown[]) : [])
  const names = Object.keys(properties)
  const shown = names
    .slice(0, MAX_PARAMETERS)
    .map((name) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${kindOf(properties[name])}`)
  const more = names.length > shown.length ? ', …' : ''
  return stripInvisible(`Takes \`args\` as JSON: {${shown.join(', ')}${more}}`)
}

function kindOf(schema: unknown): string {
  if (!isObject(schema)) return 'any'
  const { enum: values, type } = schema
  if (Array.isArray(values) && values.length <= MAX_VALUES)
    return values.map((value) => JSON.stringify(value)).join(' | ')
  return type === undefined ? 'any' : [type].flat().map(String).join(' | ')
}
