import { describe, expect, it } from 'vitest'
import { findLinks } from '../../src/markdown.ts'

describe('the links of a text', () => {
  it('[MAN-17] are inline links, images and definitions outside of code and comments', () => {
    const text =
      '[a](b.md "t") ![c](<d e.png>) [f](g_(h).md) `[i](j)`\n```\n[k](l)\n```\n<!-- [m](n) -->\n[o]: p.md\n[^q]: r'
    expect(findLinks(text)).toEqual([
      { target: 'b.md', index: 0 },
      { target: 'd e.png', index: 0 },
      { target: 'g_(h).md', index: 0 },
      { target: 'p.md', index: 5 },
    ])
  })

  it.each(['[a](', '](', '`', '](<', '](((', '[a]: '])('[ABUSE-120] are read in linear time from many %j', (part) => {
    const timeOf = (count: number): number => {
      const before = performance.now()
      findLinks(part.repeat(count))
      return performance.now() - before
    }
    timeOf(20_000)
    // The machine may have stopped in the other.
    expect(Math.min(timeOf(200_000), timeOf(200_000))).toBeLessThan(5_000)
  })
})
