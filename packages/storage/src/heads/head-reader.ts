import type { EngineCall } from '../deadline.ts'
import type { StorageEngine, StoredHead } from '../engine.ts'
import { keyPart } from '../namespace.ts'
import { headOrError } from './head.ts'
import type { SeenHeads, StoredNow } from './seen-heads.ts'

/** The most that one call asks for. */
const MAX_SKILLS = 500

/**
 * Reads what is stored under a name now. Names that are asked for in the same turn of the program are asked for in one call,
 * as a search asks for the skills that it reads. A name that is not one part of a key is nobody's.
 * @param call makes a call of the engine
 */
export function headReader(
  engine: StorageEngine,
  tenant: string,
  call: EngineCall,
  seen: SeenHeads,
): (name: string) => Promise<StoredNow | undefined> {
  let waiting: { readonly skills: Set<string>; readonly answer: Promise<ReadonlyMap<string, StoredHead>> } | undefined
  const ask = async (skills: ReadonlySet<string>): Promise<ReadonlyMap<string, StoredHead>> => {
    // Whoever asks in this turn is in it.
    await Promise.resolve()
    waiting = undefined
    const all = [...skills]
    const [only = ''] = all
    if (all.length > 1) return call(() => engine.readSeveral!(tenant, all))
    const head = await call(() => engine.read(tenant, only))
    return new Map(head && [[only, head]])
  }
  const answerFor = (skill: string): Promise<ReadonlyMap<string, StoredHead>> => {
    if (engine.readSeveral === undefined) return ask(new Set([skill]))
    if (waiting === undefined || waiting.skills.size >= MAX_SKILLS) {
      const skills = new Set<string>()
      waiting = { skills, answer: ask(skills) }
    }
    waiting.skills.add(skill)
    return waiting.answer
  }
  return async (name) => {
    const skill = keyPart(name)
    const head = skill === undefined ? undefined : (await answerFor(skill)).get(skill)
    const stored = head && { token: head.token, head: headOrError(name, head) }
    seen.set(name, stored)
    return stored
  }
}
