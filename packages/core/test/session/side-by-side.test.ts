import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import {
  type RepertoireOptions,
  type SessionProblem,
  type SkillFolder,
  type SkillSource,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { skillText, reminderOf } from './session-world.ts'
import { mapped } from '../mapped-source.ts'

const good = memorySource({
  layer: 'project',
  skills: { first: { 'SKILL.md': skillText('first') }, second: { 'SKILL.md': skillText('second') } },
})

async function open(options: Partial<RepertoireOptions>, session: AdapterSessionOptions = {}) {
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire({ sources: [good], ...options })
  const onProblem = (problem: SessionProblem): void => void problems.push(problem)
  return {
    repertoire,
    session: openAdapterSession(repertoire, { consent: () => true, onProblem, ...session }),
    problems,
  }
}

const activate = (session: AdapterSession, name: string) =>
  session.call({ id: name, tool: 'activate_skill', input: { name } }, () => '')

describe('ports that are waited for side by side', () => {
  /** Resolves for all once it was called that often, and for none before. */
  function meeting(size: number): () => Promise<void> {
    const all = Promise.withResolvers<void>()
    let arrived = 0
    return () => {
      if (++arrived === size) all.resolve()
      return all.promise
    }
  }

  it('[CAT-10] scans all sources at once, and keeps their order whichever answers first', async () => {
    const all = Promise.withResolvers<void>()
    const begun: string[] = []
    const sources = ['d', 'a', 'c', 'b'].map((name): SkillSource => {
      const memory = memorySource({ layer: 'project', id: name, skills: { same: { 'SKILL.md': skillText('same') } } })
      return {
        ...memory,
        async *scan() {
          begun.push(name)
          if (begun.length === 4) all.resolve()
          await all.promise
          // The last source answers first.
          for (let turn = 0; turn < 4 - begun.indexOf(name); turn++) await Promise.resolve()
          yield* memory.scan()
        },
      }
    })
    const { repertoire } = await open({ sources, catalog: { loadTimeout: Infinity } })
    expect(begun).toEqual(['d', 'a', 'c', 'b'])
    const { catalog } = repertoire
    expect(catalog.list().map(({ source }) => source)).toEqual(['d'])
    expect(catalog.shadowed.map(({ skill }) => skill.source)).toEqual(['a', 'c', 'b'])
  })

  it('[CAT-10, RUN-10] loads the toolsets of all active skills at once in another process', async () => {
    const bringing = (name: string) => ({ 'SKILL.md': skillText(name, 'toolsets: ["tools:all"]\n'), tools: '' })
    const sources = [
      memorySource({
        layer: 'personal',
        skills: { one: bringing('one'), two: bringing('two'), three: bringing('three') },
      }),
    ]
    const toolsets = (load: () => Promise<unknown>) => ({
      toolsets: { loader: { load }, layers: ['personal' as const] },
    })
    const first = await open({ sources, ...toolsets(() => Promise.resolve([])) })
    for (const name of ['one', 'two', 'three']) await activate(first.session, name)
    const saved = first.session.save()
    const meet = meeting(3)
    let loads = 0
    const load = async () => {
      loads++
      await meet()
      return []
    }
    const { session, problems } = await open(
      { sources, catalog: { loadTimeout: Infinity }, ...toolsets(load) },
      { saved },
    )
    await session.step({ tools: [] })
    expect(loads).toBe(3)
    expect(problems).toEqual([])
  })

  it('[CAT-10, ACT-14] reads the folders of all active skills at once for a reminder, which names them in order', async () => {
    const { session } = await open({})
    for (const name of ['first', 'second']) await activate(session, name)
    const meet = meeting(2)
    const source: SkillSource = {
      ...good,
      scan: () =>
        mapped(good, (found) => {
          const { folder } = found
          const readManifest = async () => {
            await meet()
            return folder.readManifest()
          }
          const { location } = folder
          const rest = {
            list: () => folder.list(),
            read: (...what: Parameters<SkillFolder['read']>) => folder.read(...what),
          }
          return { ...found, folder: { location, readManifest, ...rest } }
        }),
    }
    const other = await open({ sources: [source], catalog: { loadTimeout: Infinity } }, { saved: session.save() })
    const reminder = await reminderOf(other.session, () => false)
    expect(reminder?.match(/Body of \w+/g)).toEqual(['Body of first', 'Body of second'])
  })

  it('[CAT-10, RUN-10] closes the other ports where a loader of toolsets cannot be closed, and throws why', async () => {
    const closed: string[] = []
    const close = () => Promise.reject(new Error('cannot be closed'))
    const { repertoire } = await open({
      toolsets: { loader: { load: () => Promise.resolve([]), close }, layers: [] },
      audit: { write: () => {}, close: () => void closed.push('sink') },
    })
    await expect(repertoire.close()).rejects.toThrow('cannot be closed')
    expect(closed).toEqual(['sink'])
  })
})
