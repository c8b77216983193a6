import { openRepertoire, type Repertoire, type SkillSource } from '@repertoire/core'

/** A host whose tools have names of its own. */
export async function openHost(sources: readonly SkillSource[]): Promise<Repertoire> {
  return openRepertoire({
    sources,
    toolMap: {
      readDoc: 'Read',
      runCommand: { as: 'Bash', argument: 'cmd' },
      searchCode: { as: 'Grep', argument: 'dir' },
      // It stands for nothing that skills know: rules name it as it is called here.
      deploy: { argument: 'target', kind: 'text' },
    },
  })
}
