import { openRepertoire, type Repertoire, type SkillSource } from '@repertoire/core'

/** A host with a tool that does several things, and one that is not what its name says. */
export async function openNotes(sources: readonly SkillSource[]): Promise<Repertoire> {
  const repertoire = await openRepertoire({
    sources,
    toolMap: {
      notes: { by: 'action', as: { show: 'Read', add: 'Write' }, argument: 'file' },
      execute: false,
    },
  })
  return repertoire
}
