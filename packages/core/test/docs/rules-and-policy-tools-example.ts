import { memorySource, openRepertoire, type Repertoire } from '@repertoire/core'

/** A host whose shell has a name and an argument of its own. */
export async function openWithMyShell(manifest: string): Promise<Repertoire> {
  const sources = [memorySource({ layer: 'project', skills: { tidy: { 'SKILL.md': manifest } } })]
  const repertoire = await openRepertoire({
    sources,
    toolMap: { my_shell: { as: 'Bash', argument: 'cmd' } },
  })
  return repertoire
}
