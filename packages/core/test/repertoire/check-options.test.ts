import { describe, expect, it } from 'vitest'
import { memorySource } from '../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../src/repertoire/repertoire.ts'
import { foreign } from '../foreign.ts'

const sources = [memorySource({ layer: 'project', skills: {} })]
const [source] = sources

describe('[DISC-9] the options of a catalog', () => {
  it.each([
    ['no sources', {}, '`sources` is not a list'],
    ['a source alone', { sources: source }, '`sources` is not a list'],
    ['a path for a source', { sources: [source, './skills'] }, '`sources[1]` is not a source: it is a string.'],
    ['null for a source', { sources: [null] }, '`sources[0]` is not a source: it is null.'],
    ['a source without an id', { sources: [{ ...source, id: '' }] }, '`id`'],
    [
      'a source of no layer',
      { sources: [{ ...source, layer: 'root' }] },
      '`layer` is not one of enterprise, personal,',
    ],
    ['a source that cannot be scanned', { sources: [{ id: 'x', layer: 'project' }] }, 'it has no `scan`'],
    ['a profile that there is not', { sources, profile: 'Strict' }, '`profile` is "Strict"'],
    ['a layer that there is not', { sources, layers: ['project', 'constructor'] }, '`layers` holds "constructor"'],
    ['a collision that there is not', { sources, collision: 'newest' }, '`collision` is "newest"'],
  ])('are refused with what is wrong: %s', async (_what, options, message) => {
    const opened = openRepertoire(foreign(options))
    await expect(opened).rejects.toThrow(TypeError)
    await expect(opened).rejects.toThrow(message)
  })
})
