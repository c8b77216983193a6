import { openRepertoire, type Repertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** Opens a repertoire that follows its folder, and logs what happens to it. `close` ends the watch. */
export async function followSkills(root: string, log: (line: string) => void): Promise<Repertoire> {
  const repertoire = await openRepertoire({ sources: [directorySource({ root })], watch: true })
  repertoire.onChange(({ kept }) => {
    const names = repertoire.catalog.list().map(({ name }) => name)
    log(`skills: ${names.join(', ')}`)
    // Their files are broken at the moment, so they are listed as they were read last.
    for (const name of kept) log(repertoire.explain(name).text)
  })
  return repertoire
}
