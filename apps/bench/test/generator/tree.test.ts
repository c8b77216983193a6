import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
