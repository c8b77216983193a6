import { listedDescription } from '../disclosure/listing.ts'
import { shorten } from '../disclosure/shorten.ts'
import { type Skill, escapeXml, oneLine, showName } from '@repertoire/skill-md/internal'
import type { ToolDefinition } from '@repertoire/gate/internal'
import type { SkillToolNames } from './definitions.ts'

/**
 * Whether a model is offered a tool to search for skills: `auto`, where the list does not show every skill with its whole
 * description; `always`, where any skill is visible; or `never`.
 */
export type SearchMode = 'auto' | 'always' | 'never'

/** Every mode. */
export const SEARCH_MODES: readonly SearchMode[] = ['auto', 'always', 'never']

/** Phrases of one call. */
export const MAX_PHRASES = 5

/** Skills that one call finds: a model's own phrases nearly always find the right one among them. */
export const MAX_FOUND = 5

/** Of each description, in UTF-16 code units. A list with room for all shows most of them whole. */
const MAX_SHOWN_CHARS = 600

/** Returns the tool that finds skills by a model's own words. */
export function searchTool({ search, activate }: SkillToolNames): ToolDefinition {
  return {
    name: search,
    group: 'meta',
    risk: 'safe',
    description: `Finds skills that are not listed, or not described in full: returns the names and descriptions of those that fit best. Call it before you do without a skill: {"queries": ["fill PDF form fields", "AcroForm Python"]}. Give 1 to ${MAX_PHRASES} short English phrases for one task, with the names of products, file formats and techniques. Then call \`${activate}\` with the name of the one that fits.`,
    inputSchema: {
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MAX_PHRASES,
          description: `1 to ${MAX_PHRASES} phrases, searched for together.`,
        },
      },
      required: ['queries'],
      additionalProperties: false,
    },
  }
}

/**
 * Returns what was found as the text that the model is shown: nothing but what a list shows of a skill.
 * @param active the names of those that are active
 */
export function foundText(
  skills: readonly Skill[],
  active: ReadonlySet<string>,
  { search, activate }: Pick<SkillToolNames, 'search' | 'activate'>,
): string {
  if (skills.length === 0) {
    return `No skill fits. Call \`${search}\` once more with the names of products, formats or techniques, or go on without a skill.`
  }
  const found = skills.map(({ name, manifest }) => {
    const description = oneLine(shorten(listedDescription(manifest).trim(), MAX_SHOWN_CHARS))
    const state = active.has(name) ? ' active="true"' : ''
    return `<skill${state}><name>${escapeXml(showName(name))}</name><description>${description}</description></skill>`
  })
  return [
    '<found_skills>',
    ...found,
    '</found_skills>',
    `If one of them fits the task, call \`${activate}\` with its name now, unless it is active, and follow what it returns. If none does, go on without a skill.`,
  ].join('\n')
}
