import { openRepertoire, type Repertoire, type SkillSource } from '@repertoire/core'

/** A host whose tools have their own names. */
export async function openHost(sources: readonly SkillSource[]): Promise<Repertoire> {
  return openRepertoire({
    sources,
    toolMap: {
      readDoc: 'Read',
      runCommand: { as: 'Bash', argument: 'cmd' },
      searchCode: { as: 'Grep', argument: 'dir' },
      // It matches no name that skills know: rules use its own name.
      deploy: { argument: 'target', kind: 'text' },
    },
  })
}
