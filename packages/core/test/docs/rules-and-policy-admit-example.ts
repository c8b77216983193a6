import { openRepertoire, type Repertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'

/** Opens the skills of a project that only read. The others are not listed, and `explain` says why. */
export function openReadOnly(project: string): Promise<Repertoire> {
  return openRepertoire({
    sources: standardSources({ project }),
    admit: { tools: ['Read', 'Grep', 'Glob'], scripts: false, hooks: false },
  })
}
