import { openRepertoire } from '@repertoire/core'
import { buildScript, createRegistry, openFileStore } from '@repertoire/library'

/** Opens the skills of a folder, to which the program adds its own. */
export async function openLibrary(root: string) {
  const store = await openFileStore({ root, layer: 'personal' })
  const repertoire = await openRepertoire({ sources: [store] })
  const registry = createRegistry({ store, repertoire })
  return { repertoire, registry }
}

/** Keeps a script as a skill. The catalog has it at once; a session still asks before it activates it. */
export async function keepCounter({ registry }: Awaited<ReturnType<typeof openLibrary>>) {
  return registry.create(buildScript('count-words', 'Counts the words of a file.', 'wc -w "$1"\n', 'bash'))
}
