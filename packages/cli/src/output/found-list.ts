import type { Skill, SkillHit } from '@repertoire/core'
import type { Output } from './output.ts'
import { count, shorten, visibleLine, visibleName } from './text.ts'

/** A skill that was found, with what is shown of it. */
export interface FoundRow extends SkillHit {
  readonly skill: Skill
}

/** Without a terminal, a description is shown this far. */
const DESCRIPTION_COLUMNS = 100

/** What was found, for a person: each skill with its description, best first. */
export function foundText(rows: readonly FoundRow[], { paint, columns }: Pick<Output, 'paint' | 'columns'>): string {
  if (rows.length === 0) return 'No skill fits. Try the names of products, formats or techniques, or other words.\n'
  const width = Math.max(DESCRIPTION_COLUMNS / 4, (columns ?? DESCRIPTION_COLUMNS + 2) - 2)
  const blocks = rows.map(({ name, skill }) =>
    [paint.bold(visibleName(name)), `  ${shorten(visibleLine(skill.manifest.description), width)}`].join('\n'),
  )
  return `${[...blocks, paint.bold(count(rows.length, 'skill'))].join('\n\n')}\n`
}
