import { describe, expect, it } from 'vitest'
import { type SkillEmbedder, memorySource, openRepertoire } from '../../src/index.ts'

const skill = (name: string, description: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
})
const SKILLS = { mixer: skill('mixer', 'Edits sound.'), reader: skill('reader', 'Reads pages.') }
const opened = (embedder: SkillEmbedder) =>
  openRepertoire({ sources: [memorySource({ layer: 'project', skills: SKILLS })], catalog: { embedder } })

/** A model that takes questions and documents apart. */
class Apart implements SkillEmbedder {
  readonly asked: string[] = []

  async embed(texts: readonly string[], signal: AbortSignal) {
    this.asked.push(...texts.map((text) => `document ${text.split('\n')[0]!} ${signal.aborted}`))
    return texts.map((text) => (text.includes('sound') ? [1, 0] : [0, 1]))
  }

  async embedQuery(text: string, signal: AbortSignal) {
    this.asked.push(`query ${text} ${signal.aborted}`)
    return text === 'podcast' ? [1, 0] : [0, 1]
  }
}

describe('an embedder that takes questions and documents apart', () => {
  it('[MATCH-3] receives the query as a question, and skills as documents', async () => {
    const embedder = new Apart()
    const { catalog } = await opened(embedder)
    const { hits, diagnostics } = await catalog.search('podcast', { limit: 1 })
    expect([hits.map(({ name }) => name), diagnostics]).toEqual([['mixer'], []])
    await catalog.search(['hear', 'podcast'])
    expect(embedder.asked).toEqual([
      'document mixer false',
      'document reader false',
      'query podcast false',
      'query hear\npodcast false',
    ])
  })

  it.each<[string, NonNullable<SkillEmbedder['embedQuery']>]>([
    ['throws', () => Promise.reject(new Error('no key'))],
    ['gives a vector of another length', async () => [1, 0, 0]],
    ['gives a list of vectors', async () => [[1, 0]] as never],
    ['gives nothing', async () => undefined as never],
    ['gives zeros', async () => [0, 0]],
  ])('[MATCH-3] uses words alone if its `embedQuery` %s, and reports it', async (_, embedQuery) => {
    const apart = new Apart()
    const { catalog } = await opened({ embed: (texts, signal) => apart.embed(texts, signal), embedQuery })
    const { hits, diagnostics } = await catalog.search('sound')
    expect(hits.map(({ name, similarity }) => [name, similarity])).toEqual([['mixer', undefined]])
    expect(diagnostics.map(({ code }) => code)).toEqual(['EMBEDDER_FAILED'])
  })

  it('[MATCH-3] is refused if its `embedQuery` is not a function', async () => {
    await expect(opened({ embed: async () => [], embedQuery: 'query: ' as never })).rejects.toThrow(
      '`catalog.embedder.embedQuery` is "query: ". Give a function.',
    )
  })
})
