import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare, readTruth } from '../../src/measures/correctness.ts'
import { temporary } from '../temporary.ts'

describe('readTruth', () => {
  it('[NFR-1] returns what the yaml package reads, and nothing if it fails or a field is missing', () => {
    const root = temporary()
    const texts = {
      plain: '---\nname: a\ndescription: One\n  two\n---\nBody',
      windows: '\uFEFF---\r\nname: b\r\ndescription: |\r\n  Three\r\n---\r\n',
      colon: '---\nname: c\ndescription: Use it: now\n---\n',
      open: '---\nname: d\ndescription: "Never closed\n---\n',
      nameless: '---\ndescription: Four\n---\n',
      empty: '---\n---\n',
      none: 'Body\n---\nname: e\ndescription: Five\n---\n',
    }
    for (const [folder, text] of Object.entries(texts)) {
      mkdirSync(join(root, folder))
      writeFileSync(join(root, folder, 'SKILL.md'), text)
    }
    expect(Object.fromEntries(readTruth(root))).toEqual({ plain: 'One two', windows: 'Three' })
  })
})

describe('compare', () => {
  it('[NFR-1] counts what was found, and the descriptions that the yaml package reads in the same way', () => {
    const truth = new Map([
      ['a', 'One'],
      ['b', 'Two'],
      ['c', 'Three'],
    ])
    const skills = [
      { folder: 'a', description: ' One\n' },
      { folder: 'b', description: '"Two"' },
      { folder: 'd', description: 'Four' },
    ]
    expect(compare(skills, truth)).toEqual({ found: 3, right: 1, readable: 3 })
  })
})
