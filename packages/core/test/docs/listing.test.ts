import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LISTING_STYLES, memorySource, openRepertoire } from '../../src/index.ts'
import { openAdapterSession } from '../../src/adapter.ts'
import { listFor, openSmall } from './listing-example.ts'

it('[ADPT-4, SHOW-5, SHOW-7] shows on the page of listing a program that matches and keeps to a budget', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  try {
    for (let n = 0; n < 60; n++) {
      mkdirSync(join(root, `tidy-${n}`))
      const description = `Tidies room ${n}. ${'Use it often. '.repeat(20)}`
      writeFileSync(join(root, `tidy-${n}/SKILL.md`), `---\nname: tidy-${n}\ndescription: ${description}\n---\nTidy.\n`)
    }
    mkdirSync(join(root, 'release'))
    writeFileSync(join(root, 'release/SKILL.md'), '---\nname: release\ndescription: Releases.\n---\nRelease.\n')
    const repertoire = await openSmall(root)
    const { shown, cut } = await listFor(repertoire, 'Please write the release notes.')
    expect(shown).toContain('## Skill: release')
    expect(shown).not.toContain('tidy-1')
    expect(cut).toEqual([])
    const all = await openAdapterSession(repertoire).step({ tools: [] })
    expect(all.cuts.dropped.length).toBeGreaterThan(0)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

it('[SHOW-1] has a row on the page of listing for every style', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/listing.md'), 'utf8')
  const [, body = ''] = /\n\| `listing\.style` .*\n.*\n((?:\|.*\n)+)/.exec(page) ?? []
  expect(Array.from(body.matchAll(/^\| `(\w+)`/gm), ([, name]) => name)).toEqual(LISTING_STYLES)
})

it('[SHOW-7] has without options the budget that the page of listing names', async () => {
  const skills = { tidy: { 'SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n' } }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  expect((await openAdapterSession(repertoire).step({ tools: [] })).cuts.budget).toBe(4000)
  expect(4000).toBe(200_000 * 0.02)
})
