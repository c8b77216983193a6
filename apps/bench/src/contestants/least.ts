import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import type { Contestant, ReadSkill } from './contestant.ts'

const HEAD = 4096
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
const FENCED = /^---\r?\n(.*?)^---/ms
const FIELD = /^(name|description): (.*)$/gm

/**
 * The least that a program does which finds skills safely: it lists the folder, opens no link and no device, knows a
 * file again by its hash, and picks two lines out of the frontmatter. Nothing is parsed or judged. What ours costs above
 * this is what ours does beside it; what this costs above the floor, nobody saves.
 */
export function prepare(root: string): Contestant {
  const buffer = Buffer.allocUnsafeSlow(HEAD)
  const read = (path: string) => {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      if (!fstatSync(file).isFile()) return undefined
      const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, HEAD, 0))
      const frontmatter = FENCED.exec(text)?.[1]
      if (frontmatter === undefined) return undefined
      const fields: Record<string, string> = {}
      for (const [, key = '', value = ''] of frontmatter.matchAll(FIELD)) fields[key] = value
      return { key: hash('sha256', frontmatter), ...fields }
    } finally {
      closeSync(file)
    }
  }
  return {
    scan: () =>
      readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => {
          try {
            const skill = read(`${root}/${name}/SKILL.md`)
            return skill === undefined ? [] : [{ ...skill, folder: name }]
          } catch {
            return []
          }
        }),
    read: (skills: readonly Partial<ReadSkill>[]) =>
      skills.map(({ folder = '', description = '' }) => ({ folder, description })),
  }
}
