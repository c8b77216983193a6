import type { Answers } from '../job.ts'
import { openTree, type Sampled } from './skills.ts'

/**
 * Activates each skill in a session of its own, with consent: a digest over every file of the folder, the consent
 * request, its answer, and the text for the model. Opening the session is not timed.
 * @throws {Error} if a skill is not activated
 */
export async function timeActivations(root: string, skills: readonly Sampled[]): Promise<Answers['activate']> {
  const repertoire = await openTree(root)
  const times: number[] = []
  for (const { name } of skills) {
    const session = repertoire.openSession({ consent: () => true })
    session.beginStep([])
    const call = { id: 'call', tool: 'activate_skill', input: { name } }
    const start = performance.now()
    const outcome = await session.call(call, () => undefined)
    times.push(performance.now() - start)
    if (!outcome.ok) throw new Error(`Error: "${name}" was not activated: ${outcome.text}`)
    await session.end()
  }
  return { times }
}
