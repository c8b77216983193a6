import { memorySource, openRepertoire, type SkillEmbedder } from '@repertoire/core'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { awaitable, loadEmbedder, searchByMeaning } from '../search-quality/embedder.ts'
import type { Search } from '../search-quality/recall.ts'

it('[MATCH-5] measures a search with an embedder of the user', async () => {
  const asked: number[] = []
  const search = await opened({
    embed: async (texts) => {
      asked.push(texts.length)
      return texts.map((text) => (/feline|cats/.test(text) ? [1, 0] : [0, 1]))
    },
  })
  expect(new Set(asked)).toEqual(new Set([1, 2]))
  expect((await search(['feline']))[0]).toBe('memory:few/cats')
})

it('[MATCH-5] measures nothing where the embedder fails', async () => {
  const search = await opened({
    embed: async (texts) => {
      if (texts.includes('broken')) throw new Error('no such model')
      return texts.map(() => [1])
    },
  })
  await expect(search(['cats'])).resolves.toContain('memory:few/cats')
  await expect(search(['broken'])).rejects.toThrow(/words alone.*no such model/)
})

it('[MATCH-5] does not ask an embedder that fails for ever', async () => {
  for (const fails of [() => true, (texts: readonly string[]) => texts.length > 1]) {
    const search = await opened({
      embed: async (texts) => {
        if (fails(texts)) throw new Error('no such model')
        return texts.map(() => [1])
      },
    })
    await expect(search(['cats'])).rejects.toThrow(/words alone.*no such model/)
  }
})

it('[MATCH-5] waits for the vector of each skill, as long as a search does not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const skills = Object.fromEntries(
      Array.from({ length: 250 }, (_, number) => [`s${number}`, skill(`s${number}`, `Walks dogs, ${number}.`)]),
    )
    const asked: string[] = []
    const opening = opened(
      {
        embed: async (texts) => {
          await new Promise((resolve) => setTimeout(resolve, 20_000))
          return texts.map(() => [0, 1])
        },
        embedQuery: async (text) => {
          asked.push(text)
          return [1, 0]
        },
      },
      { ...skills, cats: skill('cats', 'Feeds cats.') },
    )
    for (let minute = 0; minute < 3; minute++) await vi.advanceTimersByTimeAsync(60_000)
    const search = await opening
    expect((await search(['cats']))[0]).toBe('memory:few/cats')
    expect(asked.at(-1)).toBe('cats')
  } finally {
    vi.useRealTimers()
  }
})

it('[MATCH-5] loads the embedder that a module exports, and says where there is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-embedder-'))
  try {
    const [file, without] = [join(folder, 'embedder.mjs'), join(folder, 'without.mjs')]
    writeFileSync(file, 'export const embedder = { embed: async (texts) => texts.map((text) => [text.length]) }\n')
    writeFileSync(without, 'export default {}\n')
    const embedder = await loadEmbedder(file)
    expect(await embedder.embed(['four'], new AbortController().signal)).toEqual([[4]])
    await expect(loadEmbedder(without)).rejects.toThrow(/without\.mjs exports no embedder\. Give it: export const/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const skill = (name: string, description: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
})

async function opened(
  given: SkillEmbedder,
  skills: Record<string, ReturnType<typeof skill>> = {
    cats: skill('cats', 'Feeds cats.'),
    dogs: skill('dogs', 'Walks dogs.'),
  },
): Promise<Search> {
  const embedder = awaitable(given)
  const source = memorySource({ id: 'few', layer: 'project', skills })
  const repertoire = await openRepertoire({ sources: [source], embedder })
  return searchByMeaning({ repertoire, idOf: ({ location }) => location, bodies: new Map() }, embedder)
}
