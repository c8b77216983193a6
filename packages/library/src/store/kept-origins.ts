import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_FOLDER, type SafeFolder } from '@repertoire/core/node'

/** Where the skills of a store come from, by their folders. Sources read it too: see `readKnownOrigins` of core. */
const FILE = 'origins.json'

/**
 * Keeps where a skill comes from, beside the skills of a store.
 * @param origin undefined: it is local
 */
export function keepOrigin(store: SafeFolder, folder: string, origin: string | undefined): void {
  const path = join(store.path, STATE_FOLDER, FILE)
  const origins = read(path)
  if (origins[folder] === origin) return
  const { [folder]: _, ...others } = origins
  const kept = origin === undefined ? others : { ...others, [folder]: origin }
  const text = `${JSON.stringify({ version: 1, origins: Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1))) }, null, 2)}\n`
  store.write(`${STATE_FOLDER}/${FILE}`, { bytes: Buffer.from(text) })
}

function read(path: string): Readonly<Record<string, unknown>> {
  if (!existsSync(path)) return {}
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as { readonly origins?: Readonly<Record<string, unknown>> }
    return { ...value.origins }
  } catch {
    // It says nothing, and is written anew.
    return {}
  }
}
