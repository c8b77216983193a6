import type { Session } from '@repertoire/core'
import type { Answers } from '../job.ts'
import { timeReading } from './read-folders.ts'
import { openTree, type Sampled } from './skills.ts'

/**
 * Activates each skill in a session of its own, with consent: a digest over every file of the folder, the consent
 * request, its answer, and the text for the model. In turns with that, another of the folders is listed, read and hashed in
 * plain Node. Each comes after the beginning of a step, which is not timed: in a loop of its own either takes a fraction
 * of what it takes after other work.
 * @throws {Error} if a skill is not activated
 */
export async function timeActivations(root: string, skills: readonly Sampled[]): Promise<Answers['activate']> {
  const repertoire = await openTree(root)
  const times: number[] = []
  const readings: number[] = []
  const begin = (): Session => {
    const session = repertoire.openSession({ consent: () => true })
    session.beginStep([])
    return session
  }
  for (const [index, { name }] of skills.entries()) {
    const session = begin()
    const call = { id: 'call', tool: 'activate_skill', input: { name } }
    const start = performance.now()
    const outcome = await session.call(call, () => undefined)
    times.push(performance.now() - start)
    if (!outcome.ok) throw new Error(`Error: "${name}" was not activated: ${outcome.text}`)
    await session.end()
    const other = begin()
    // One that was not just read: each is read once by both.
    readings.push(timeReading(skills[(index + (skills.length >> 1)) % skills.length]!.folder, true))
    await other.end()
  }
  return { times, readings }
}
