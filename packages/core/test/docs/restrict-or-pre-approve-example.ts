import { openRepertoire, type Repertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** Opens skills whose `allowed-tools` approve calls in advance, as the standard reads them. */
export function openPreapproving(root: string): Promise<Repertoire> {
  return openRepertoire({ sources: [directorySource({ root })], enforcement: 'preapprove' })
}
