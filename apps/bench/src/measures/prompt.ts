import type { Contestant, Prepare, ReadSkill } from '../contestants/contestant.ts'

export interface TimedPrompt {
  /** Milliseconds. */
  readonly taken: number
  /** How long the list is. */
  readonly characters: number
  /** Whether one call scanned and listed. */
  readonly listsItself: boolean
  /** What was found. Where one call scans and lists, this scans again. */
  readonly read: () => Promise<Iterable<ReadSkill>>
}

/**
 * From nothing to the first text that shows a model its skills: import, scan, list.
 * @param plain scans, and then lists, also where one call does both
 */
export async function timeFirstPrompt(
  load: () => Promise<{ readonly prepare: Prepare }>,
  root: string,
  plain = false,
): Promise<TimedPrompt> {
  const start = performance.now()
  const contestant = await (await load()).prepare(root)
  if (!plain && contestant.scanAndList !== undefined) {
    const text = await contestant.scanAndList()
    const taken = performance.now() - start
    const read = async () => contestant.read((await contestant.scan()) as never)
    return { taken, characters: text.length, listsItself: true, read }
  }
  const result = await contestant.scan()
  const text = contestant.list === undefined ? plainList(contestant, result) : contestant.list(result as never)
  const taken = performance.now() - start
  return { taken, characters: text.length, listsItself: false, read: async () => contestant.read(result as never) }
}

/** What any program does that has the skills in memory: the shortest that it could show. */
function plainList({ read }: Contestant, result: unknown): string {
  let text = ''
  for (const { folder, description } of read(result as never)) text += `- ${folder}: ${description}\n`
  return text
}
