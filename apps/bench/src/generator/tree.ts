import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGenerator } from './skill.ts'

/** Writes the first `count` skills of a seed below a folder, each in a folder of its own. */
export function writeTree(root: string, count: number, seed: number): void {
  const generate = createGenerator(seed)
  mkdirSync(root, { recursive: true })
  for (let index = 0; index < count; index++) {
    const { folder, files } = generate(index)
    mkdirSync(join(root, folder))
    for (const { path, text, executable } of files) {
      const file = join(root, folder, path)
      if (path.includes('/')) mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { mode: executable ? 0o755 : 0o644 })
    }
  }
}
