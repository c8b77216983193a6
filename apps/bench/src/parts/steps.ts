import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { FRAMEWORKS } from '../frameworks.ts'
import { makeTree } from '../generator.ts'
import type { Figures } from '../rows.ts'
import type { Jobs } from '../run.ts'
import { median } from '../timing.ts'

const CALLS = 16
const RUNS = 10
/** Runs before the measured ones, while code is still being compiled. */
const WARM_UP = 2
const LARGE = 10_000

/** Steps that call a host's tool, by the framework and the number of skills. */
export const jobs: Jobs = Object.fromEntries(
  [...Object.keys(FRAMEWORKS).map((name) => [name, 100] as const), ['ai-sdk', LARGE] as const].map(([name, skills]) => [
    `${name} ${skills}`,
    (folder: string) => measure(name, makeTree(folder, skills)),
  ]),
)

/** @throws {Error} a call was not carried out, because then no step was timed */
async function measure(name: string, root: string): Promise<Figures> {
  let carriedOut = 0
  const execute = async (): Promise<string> => {
    carriedOut++
    return 'What the file says.'
  }
  const repertoire = await openRepertoire({ sources: [directorySource({ root, maxFolders: 1e6 })] })
  const framework = FRAMEWORKS[name]!
  const agents = { base: await framework('Read', execute), own: await framework('Read', execute, repertoire) }
  const times = { base: [] as number[], own: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    for (const side of ['base', 'own'] as const) {
      carriedOut = 0
      const calledAt: number[] = []
      await agents[side](() => {
        const index = calledAt.push(performance.now()) - 1
        if (index >= CALLS) return undefined
        return { id: `call-${index}`, tool: 'Read', input: { file_path: 'docs/guide.md' } }
      }, CALLS + 1)
      if (carriedOut !== CALLS) throw new Error(`${carriedOut} of ${CALLS} calls were carried out (${side}).`)
      const steps = calledAt.slice(1).map((at, index) => at - calledAt[index]!)
      if (run >= WARM_UP) times[side].push(median(steps.slice(1)))
    }
  }
  return { own: median(times.own), base: median(times.base) }
}
