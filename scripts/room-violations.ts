import { dirname, join } from 'node:path/posix'
import { importsOf } from './imports.ts'

/** One sentence for every import that runs upwards between rooms of one place. */
export function roomViolations(
  sources: ReadonlyMap<string, string>,
  rooms: readonly (readonly string[])[],
): readonly string[] {
  return rooms.flatMap((order) => {
    const levelOf = (path: string): number => order.findIndex((room) => path.startsWith(`${room}/`))
    return [...sources].flatMap(([file, text]) => {
      const level = levelOf(file)
      if (level < 0) return []
      return importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier))
        .filter((target) => levelOf(target) > level)
        .map((target) => `${file} imports ${target}, which is in a room above it.`)
    })
  })
}
