import type { Contestant, Prepare } from '../contestants/contestant.ts'

/** From nothing to the first text that shows a model its skills: import, scan, list. */
export async function timeFirstPrompt(
  load: () => Promise<{ readonly prepare: Prepare }>,
  root: string,
): Promise<{
  readonly taken: number
  readonly characters: number
  readonly contestant: Contestant
  readonly result: unknown
}> {
  const start = performance.now()
  const contestant = await (await load()).prepare(root)
  const result = await contestant.scan()
  const text = contestant.list === undefined ? plainList(contestant, result) : contestant.list(result as never)
  return { taken: performance.now() - start, characters: text.length, contestant, result }
}

/** What any program does that has the skills in memory: the shortest that it could show. */
function plainList({ read }: Contestant, result: unknown): string {
  let text = ''
  for (const { folder, description } of read(result as never)) text += `- ${folder}: ${description}\n`
  return text
}
