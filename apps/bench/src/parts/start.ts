import { jobsOf, type Load, type Loader, shareRight } from '../loaders.ts'
import type { Figures } from '../rows.ts'
import type { Jobs } from '../run.ts'

/** Import, scan and list, up to the first text that shows a model its skills; here with the first step's tools. */
export const jobs: Jobs = jobsOf(measure, 1_000)

async function measure(load: Load, root: string): Promise<Figures> {
  const start = performance.now()
  const loader = await load(root)
  const text = await (loader.list?.() ?? plainList(loader))
  const taken = performance.now() - start
  if (text.length < 1_000) throw new Error('The list is too short.')
  return { taken, right: await shareRight(root, loader.read((await loader.scan()) as never)) }
}

/** The shortest list that a program could show of the skills that it has in memory. */
async function plainList({ scan, read }: Loader): Promise<string> {
  const skills = read((await scan()) as never)
  return Array.from(skills, ([folder, description]) => `- ${folder}: ${description}\n`).join('')
}
