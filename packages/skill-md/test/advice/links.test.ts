import { describe, expect, it } from 'vitest'
import { findLinks } from '../../src/markdown.ts'

describe('the links of a text', () => {
  it('[MAN-17, ABUSE-120] are read up to a number, and definitions beside them', () => {
    const found = findLinks(`${'[a](b) '.repeat(6_000)}\n[c]: d\n[e](f)`)
    expect(found.filter(({ target }) => target === 'b')).toHaveLength(5_000)
    expect(found.filter(({ target }) => target !== 'b')).toEqual([{ target: 'd', index: 1 }])
  })
})
