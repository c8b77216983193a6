import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** The skills of an agent that fit a task, the best first. */
export async function skillsFor(root: string, phrases: readonly string[], agent: string): Promise<readonly string[]> {
  const { catalog } = await openRepertoire({ sources: [directorySource({ root })] })
  const { hits, diagnostics } = await catalog.search(phrases, { limit: 3, viewer: { agent } })
  for (const { code, message } of diagnostics) console.warn(code, message)
  return hits.map(({ name }) => name)
}
