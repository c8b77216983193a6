import { openRepertoire } from '@repertoire/core'
import { scriptSkill, createSkillRegistry, openFileStore } from '@repertoire/library'

/** Opens the skills of a folder, so that the program can add its own. */
export async function openLibrary(root: string) {
  const store = await openFileStore({ root, layer: 'personal' })
  const repertoire = await openRepertoire({ sources: [store] })
  const registry = createSkillRegistry({ store, repertoire })
  return { repertoire, registry }
}

/** Keeps a script as a skill. The catalog has it at once; a session still asks before it activates it. */
export async function keepCounter({ registry }: Awaited<ReturnType<typeof openLibrary>>) {
  return registry.create(
    scriptSkill({
      name: 'count-words',
      description: 'Counts the words of a file.',
      script: 'wc -w "$1"\n',
      language: 'bash',
    }),
  )
}
