import type { ListingStyle } from '@repertoire/core'
import type { Answers } from '../job.ts'
import { openTree } from './skills.ts'

const HOST_TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']
const STEPS = 300

/** Begins a model call in a style: the first in this process, and those after it. */
export async function timeSteps(root: string, style: ListingStyle): Promise<Answers['steps']> {
  const repertoire = await openTree(root, { style })
  const session = repertoire.openSession()
  const times: number[] = []
  let characters = 0
  for (let step = 0; step < STEPS; step++) {
    const start = performance.now()
    const view = session.beginStep(HOST_TOOLS)
    const system = view.system('You are an agent.') ?? ''
    const tools = view.tools.length
    times.push(performance.now() - start)
    if (step === 0) characters = system.length + (tools === 0 ? 0 : JSON.stringify(view.tools).length)
  }
  return { times, characters }
}
