import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flattenInto } from '../../src/generator/flatten.ts'
import { createGenerator } from '../../src/generator/skill.ts'
import { writeTree } from '../../src/generator/tree.ts'
import { temporary } from '../temporary.ts'

describe('writeTree', () => {
  it('[NFR-1] writes every file of the first skills of a seed, scripts with a run bit', () => {
    const root = join(temporary(), 'skills')
    writeTree(root, 40, 3)
    const generate = createGenerator(3)
    const skills = Array.from({ length: 40 }, (_, index) => generate(index))
    expect(readdirSync(root).toSorted()).toEqual(skills.map(({ folder }) => folder).toSorted())
    const scripts = skills.flatMap(({ folder, files }) =>
      files.map((file) => {
        const path = join(root, folder, file.path)
        expect(readFileSync(path, 'utf8')).toBe(file.text)
        expect((statSync(path).mode & 0o100) !== 0).toBe(file.executable)
        return file.executable
      }),
    )
    expect(scripts).toContain(true)
  })
})

describe('flattenInto', () => {
  it('[NFR-1] puts every SKILL.md in a folder of its own, side by side, and follows no link', () => {
    const folder = temporary()
    for (const path of ['a/pdf', 'b/pdf', 'b/x/PDF', 'c']) {
      mkdirSync(join(folder, 'real', path), { recursive: true })
      writeFileSync(join(folder, 'real', path, 'SKILL.md'), path)
    }
    symlinkSync(join(folder, 'real/c/SKILL.md'), join(folder, 'real/a/SKILL.md'))
    expect(flattenInto(join(folder, 'flat'), join(folder, 'real'))).toBe(4)
    const texts = readdirSync(join(folder, 'flat')).map((name) => [
      name,
      readFileSync(join(folder, 'flat', name, 'SKILL.md'), 'utf8'),
    ])
    expect(Object.fromEntries(texts)).toEqual({ c: 'c', pdf: 'a/pdf', 'pdf-2': 'b/pdf', 'PDF-3': 'b/x/PDF' })
  })
})
