import { openRepertoire, type Repertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** Opens a repertoire that follows its folder, and logs what happens to it. `close` ends the watch. */
export async function followSkills(root: string, log: (line: string) => void): Promise<Repertoire> {
  const repertoire = await openRepertoire({ sources: [directorySource({ root })], watch: true })
  repertoire.onChange(({ added, removed, changed, kept }) => {
    for (const [what, names] of Object.entries({ added, removed, changed })) {
      if (names.length > 0) log(`${what}: ${names.join(', ')}`)
    }
    // Their files are broken at the moment, so they are listed as they were read last.
    for (const name of kept) log(repertoire.explain(name).text)
  })
  return repertoire
}
