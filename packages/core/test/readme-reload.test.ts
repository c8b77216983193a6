import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followSkills } from './readme-reload-example.ts'

it('[ADPT-4, CAT-4] shows in the README a watch that is compiled and runs', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  expect(readme).toContain(
    `\`\`\`ts\n${readFileSync(join(import.meta.dirname, 'readme-reload-example.ts'), 'utf8')}\`\`\`\n`,
  )

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
    await logged('added: tidy')
    writeFileSync(join(root, 'tidy/SKILL.md'), '---\nname: tidy\n')
    await logged('FRONTMATTER_UNCLOSED')
    expect(repertoire.catalog.has('tidy')).toBe(true)
  } finally {
    await repertoire.close()
    rmSync(root, { recursive: true, force: true })
  }
})
