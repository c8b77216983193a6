import {
  type Layer,
  type ContextOptions,
  type ListingBudget,
  type ListingStyle,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { openAdapterSession } from '../../src/adapter.ts'

/** What a test says of a skill. */
export interface Given {
  readonly description?: string
  readonly whenToUse?: string
  readonly layer?: Layer
  readonly priority?: number
}

/** A skill to be listed. */
export interface Listed extends Given {
  readonly name: string
  readonly layer: Layer
}

export function skill(name: string, given: Given = {}): Listed {
  return { name, layer: 'project', description: `Does ${name}.`, ...given }
}

const GUIDANCE =
  /(?:^|\n+)When a task fits a .*before anything else\.(?: If none that is listed fits, call search_skills first\.)?(?:\n+|$)/

/** Returns the list that a step shows: its text without guidance around it, the tools of single skills, the cuts. */
export async function listOf(
  skills: readonly Listed[],
  style: ListingStyle,
  given: (ListingBudget & ContextOptions) | false = {},
  search: 'never' | 'always' = 'never',
) {
  const layers = [...new Set(skills.map(({ layer }) => layer))]
  const sources = layers.map((layer) => {
    const files = skills
      .filter((each) => each.layer === layer)
      .map((each) => [each.name, { 'SKILL.md': manifest(each) }])
    return memorySource({ layer, id: layer, skills: Object.fromEntries(files) })
  })
  const { window, countTokens, ...budget } = given === false ? {} : given
  const listing = { style, budget: given && budget, search }
  const context = { window, countTokens, summaries: false } as const
  const repertoire = await openRepertoire({ sources, listing, context, catalog: { profile: 'lenient' } })
  const { instructions, tools, skillTools, cuts } = await openAdapterSession(repertoire).step({ tools: [] })
  const [, inTool = ''] = /\n\nAvailable skills:\n([^]*)$/.exec(tools[0]?.description ?? '') ?? []
  const text = style === 'tool' ? inTool : instructions.replace(GUIDANCE, '')
  return { text, tools: skillTools, cuts }
}

function manifest({ name, description, whenToUse, priority = 0 }: Listed): string {
  const fields = { name, description, when_to_use: whenToUse, priority }
  return `---\n${JSON.stringify(fields)}\n---\nDo it.\n`
}

/** A budget of so many tokens, where each character counts as one. */
export const characters = (tokens: number) => ({
  window: tokens,
  share: 1,
  countTokens: (text: string) => text.length,
})
