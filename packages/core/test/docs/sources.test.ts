import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followSkills } from './sources-watch-example.ts'
import { openFolder, openProject } from './sources-example.ts'

it('[ADPT-4, CAT-4] shows on the page of sources a watch that is compiled and runs', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-readme-'))
  const lines: string[] = []
  let told = (): void => {}
  const logged = (part: string): Promise<void> =>
    new Promise((resolve) => {
      told = () => {
        if (lines.some((line) => line.includes(part))) resolve()
      }
      told()
    })
  const repertoire = await followSkills(root, (line) => {
    lines.push(line)
    told()
  })
  try {
    mkdirSync(join(root, 'tidy'))
    writeFileSync(join(root, 'tidy/SKILL.md'), '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n')
    await logged('skills: tidy')
    writeFileSync(join(root, 'tidy/SKILL.md'), '---\nname: tidy\n')
    await logged('FRONTMATTER_UNCLOSED')
    expect(repertoire.catalog.has('tidy')).toBe(true)
  } finally {
    await repertoire.close()
    rmSync(root, { recursive: true, force: true })
  }
})

it('[ADPT-4, DISC-4, DISC-12] shows on the page of sources a program that is compiled and finds a skill of each', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  try {
    mkdirSync(join(root, '.agents/skills/tidy'), { recursive: true })
    writeFileSync(join(root, '.agents/skills/tidy/SKILL.md'), '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n')
    expect((await openFolder(join(root, '.agents/skills'))).catalog.has('tidy')).toBe(true)
    const { catalog } = await openProject(root)
    expect(catalog.get('tidy').layer).toBe('project')
    const bundled = catalog.list().filter(({ layer }) => layer === 'bundled')
    expect(bundled.map(({ name }) => name)).toEqual(['greet'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
