import type { SkillContent } from '@repertoire/core'

/** A skill of two kilobytes. Another text for each round. */
export function contentOf(name: string, round = 0): SkillContent {
  const content = `Step ${round}. ${'Read the file, change what is wrong, and say what was changed.\n'.repeat(30)}`
  return { manifest: { name, description: `What ${name} is for.` }, definition: { type: 'instruction', content } }
}
