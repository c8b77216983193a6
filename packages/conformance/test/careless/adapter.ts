import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AdapterDriver } from '../../src/driver.ts'
import type { CarelessFault } from './faults.ts'

const FILES = ['agent', 'conversation', 'driver']
// Inside the package, so that its imports are found.
const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

/** Writes the adapter with a fault in each, and imports their drivers. */
export async function carelessDrivers(faults: readonly CarelessFault[]): Promise<AdapterDriver[]> {
  const written = await Promise.all(FILES.map((name) => readFile(join(import.meta.dirname, `${name}.ts`), 'utf8')))
  for (const [text] of faults.flatMap(({ edits }) => edits)) {
    if (!written.some((code) => code.includes(text))) throw new TypeError(`No file of the adapter contains "${text}".`)
  }
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'careless-'))
  try {
    return await Promise.all(
      faults.map(async ({ wrong, edits }, index) => {
        const own = join(folder, String(index))
        await mkdir(own)
        for (const [at, name] of FILES.entries()) {
          const code = edits.reduce((text, [from, to]) => text.replaceAll(from, () => to), written[at]!)
          await writeFile(
            join(own, `${name}.mjs`),
            stripTypeScriptTypes(code).replaceAll(/'(\.\/\w+)\.ts'/g, "'$1.mjs'"),
          )
        }
        const { conversationDriver } = (await import(pathToFileURL(join(own, 'driver.mjs')).href)) as {
          readonly conversationDriver: AdapterDriver
        }
        return { ...conversationDriver, name: wrong }
      }),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
