import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import type { Contestant, ReadSkill } from './contestant.ts'

const HEAD_BYTES = 4096
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
const FENCED = /^---\r?\n(.*?)^---/ms
const FIELD = /^(name|description): (.*)$/gm

/**
 * The minimum that a program must do to find skills safely: it lists the folder, opens no link and no device,
 * recognises a file by its hash, and picks two lines from the frontmatter. Nothing is parsed or checked. The distance
 * from ours to this is the cost of what ours does in addition; the distance from this to the floor cannot be avoided.
 */
export function prepare(root: string): Contestant {
  const buffer = Buffer.allocUnsafeSlow(HEAD_BYTES)
  const read = (path: string) => {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      if (!fstatSync(file).isFile()) return undefined
      const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, HEAD_BYTES, 0))
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
