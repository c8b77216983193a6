import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Contestant } from './contestant.ts'

const Manifest = z.object({
  name: z.string().min(1),
  description: z.string().min(1),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  'allowed-tools': z.union([z.string(), z.array(z.string())]).optional(),
})

const FENCED = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/

interface Read {
  readonly folder: string
  readonly description: string
  readonly manifest: z.infer<typeof Manifest>
}

/** Own code with `gray-matter`. */
export async function prepareGrayMatter(root: string): Promise<Contestant> {
  const { default: matter } = await import('gray-matter')
  // With options, even empty ones, it does not use its cache, so a second scan really parses.
  return ownCode(root, (text) => matter(text, {}).data)
}

/** Own code with `yaml`. */
export async function prepareYaml(root: string): Promise<Contestant> {
  const { parse } = await import('yaml')
  return ownCode(root, (text) => parse(FENCED.exec(text)?.[1] ?? ''))
}

/**
 * What a team writes in an afternoon: the folders, their SKILL.md by `fs.promises`, a parser, a schema. All files at
 * once, as one writes it; a skill that fails is left out.
 * @param parse returns the fields of the frontmatter
 */
function ownCode(root: string, parse: (text: string) => unknown): Contestant {
  const readSkill = async (folder: string): Promise<Read | undefined> => {
    try {
      const path = join(root, folder, 'SKILL.md')
      const manifest = Manifest.parse(parse(await readFile(path, 'utf8')))
      return { folder, description: manifest.description, manifest }
    } catch {
      return undefined
    }
  }
  return {
    scan: async () => {
      const entries = await readdir(root, { withFileTypes: true })
      const read = await Promise.all(entries.filter((entry) => entry.isDirectory()).map(({ name }) => readSkill(name)))
      return read.filter((skill) => skill !== undefined)
    },
    read: (skills: readonly Read[]) => skills,
  }
}
