import { discoveryAims } from './aims/discovery.ts'
import { atMost } from './aims/judge.ts'
import { libraryAims } from './aims/library.ts'
import { promptAims } from './aims/prompt.ts'
import { agentAims, runnerAims } from './aims/running.ts'
import { searchAims } from './aims/search.ts'
import { soakAims } from './aims/soak.ts'
import { storeAims } from './aims/stores.ts'
import { useAims } from './aims/use.ts'
import type { Aim, Measured } from './results.ts'

/** Returns the aims for what was measured. */
export function checkAims({
  discoveries,
  prompt,
  use,
  search,
  agents,
  runners,
  library,
  stores,
  imports,
  soak,
}: Measured): Aim[] {
  return [
    ...discoveryAims(discoveries),
    ...(prompt === undefined ? [] : promptAims(prompt)),
    ...(use === undefined ? [] : useAims(use)),
    ...(search === undefined ? [] : searchAims(search)),
    ...(agents === undefined ? [] : agentAims(agents)),
    ...(runners === undefined ? [] : runnerAims(runners)),
    ...(library === undefined ? [] : libraryAims(library)),
    ...(stores === undefined ? [] : storeAims(stores)),
    ...(imports === undefined
      ? []
      : [
          atMost(
            'import of @repertoire/core over a bare start of Node',
            15,
            imports.entries.find(({ name }) => name === '@repertoire/core')?.overBare,
            (value) => `${value.toFixed(1)} ms`,
          ),
        ]),
    ...(soak === undefined ? [] : soakAims(soak)),
  ]
}
