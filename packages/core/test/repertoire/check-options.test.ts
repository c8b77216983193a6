import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { memorySource, openRepertoire } from '../../src/index.ts'

const sources = [memorySource({ layer: 'project', skills: {} })]
const [source] = sources

describe('[DISC-9] the options of a catalog', () => {
  it.each([
    ['no sources', {}, '`sources` is missing. Give a list of sources'],
    ['a source alone', { sources: source }, '`sources` is an object. Give a list of sources'],
    ['a path for a source', { sources: [source, './skills'] }, '`sources[1]` is not a source'],
    ['null for a source', { sources: [null] }, '`sources[0]` is not a source'],
    ['a source without an id', { sources: [{ ...source, id: '' }] }, '`sources[0].id` is not a name'],
    [
      'a source of no layer',
      { sources: [{ ...source, layer: 'root' }] },
      '`sources[0].layer` is "root". Give "enterprise", "personal",',
    ],
    ['a source that cannot be scanned', { sources: [{ id: 'x', layer: 'project' }] }, 'it has no `scan`'],
    ['a profile that there is not', { sources, catalog: { profile: 'Strict' } }, '`catalog.profile` is "Strict"'],
    [
      'a layer that there is not',
      { sources, catalog: { layers: ['project', 'constructor'] } },
      '`catalog.layers[1]` is "constructor"',
    ],
    ['a key that is not text', { sources, sessionSecret: 1 }, '`sessionSecret` is not a string'],
    [
      'a list whose style hides a character',
      { sources, listing: { style: 'xm\u200Bl' } },
      '`listing.style` is "xm\\u{200B}l".',
    ],
    ['a collision that there is not', { sources, catalog: { collision: 'newest' } }, '`catalog.collision` is "newest"'],
  ])('are refused with what is wrong: %s', async (_what, options, message) => {
    const opened = openRepertoire(foreign(options))
    await expect(opened).rejects.toThrow(TypeError)
    await expect(opened).rejects.toThrow(message)
  })
})

describe('[DISC-9] the options of a session', () => {
  it.each([
    ['a skill in the place of a list', { skills: 'pdf' }, '`skills` is "pdf". Give a list of skill names'],
    ['a tool in the place of a list', { skills: 'pdf' }, '`skills` is "pdf". Give a list of skill names'],
    ['consent without a handler', { consent: true }, '`consent` is true. Give a function'],
    ['a matcher that is a list', { turns: { match: ['a'] } }, '`turns.match` is a list. Give '],
    ['a listener that is a text', { onProblem: 'log' }, '`onProblem` is "log". Give a function'],
  ])('are refused with what is wrong: %s', async (_what, options, message) => {
    const repertoire = await openRepertoire({ sources })
    expect(() => repertoire.openSession(foreign(options))).toThrow(TypeError)
    expect(() => repertoire.openSession(foreign(options))).toThrow(message)
  })
})
