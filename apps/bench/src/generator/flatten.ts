import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Copies every SKILL.md below a folder into a folder of its own under `root`, all side by side, because most peers look
 * no deeper than that. Two of one name are told apart by a number. Links are not followed.
 * @returns the number of skills
 */
export function flattenInto(root: string, corpus: string): number {
  mkdirSync(root, { recursive: true })
  const taken = new Set<string>()
  const manifests = readdirSync(corpus, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'SKILL.md')
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  for (const manifest of manifests) {
    const folder = freeName(basename(dirname(manifest)), taken)
    mkdirSync(join(root, folder))
    copyFileSync(manifest, join(root, folder, 'SKILL.md'))
  }
  return manifests.length
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  // File systems that ignore case treat `Pdf` and `pdf` as one name.
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted}-${number}`
  taken.add(name.toLowerCase())
  return name
}
