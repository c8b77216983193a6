import { openRepertoire, type Repertoire, type SkillSource } from '@repertoire/core'

/** A host whose file tools see a file system of their own, one of which does several things. */
export async function openSandboxed(sources: readonly SkillSource[]): Promise<Repertoire> {
  const repertoire = await openRepertoire({
    sources,
    toolRoot: '/',
    toolMap: {
      notes: { by: 'action', as: { show: 'Read', add: 'Write' }, argument: 'file' },
      upload: { as: ['Read', 'WebFetch'], root: false },
      replace: false,
    },
  })
  return repertoire
}
