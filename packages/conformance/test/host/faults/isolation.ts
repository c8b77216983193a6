import { join } from 'node:path'
import type { ToyMessage } from '../toy-host.ts'
import { fault, type HostFault, remembering } from './break.ts'

export const isolationFaults: readonly HostFault[] = [
  fault('keeps what is loaded for all conversations together', 'isolation-parallel', ({ activate, start, system }) => {
    let loaded = ''
    return {
      async activate(skills, name, task) {
        loaded = await activate(skills, name, task)
        return loaded
      },
      system: (instructions, list) => `${system(instructions, list)}\n${loaded}`,
      start(task) {
        loaded = ''
        return start(task)
      },
    }
  }),
  fault(
    'begins a conversation with the messages of the last one',
    ['isolation-new-conversation', 'reload-body', 'reload-resource'],
    () => {
      const last = new Map<string, ToyMessage[]>()
      return {
        async begin({ folder }) {
          const messages = [...(last.get(folder) ?? [])]
          last.set(folder, messages)
          return messages
        },
      }
    },
  ),
  fault('reads the folder of the conversation that began last', 'isolation-two-folders', ({ start, scan }) => {
    let current = ''
    return {
      start(task) {
        current = task.folder
        return start(task)
      },
      scan: () => scan(current),
    }
  }),
]

export const reloadFaults: readonly HostFault[] = [
  remembering('knows the skills of the first scan alone', 'reload-added', (found, earlier) =>
    found.filter(({ name }) => earlier.some((skill) => skill.name === name)),
  ),
  remembering('keeps descriptions of the first scan', 'reload-changed', (found, earlier) =>
    found.map((skill) => ({
      ...skill,
      description: earlier.find(({ name }) => name === skill.name)?.description ?? skill.description,
    })),
  ),
  remembering('keeps skills that were removed', 'reload-removed', (found, earlier) => [
    ...found,
    ...earlier.filter(({ name }) => !found.some((skill) => skill.name === name)),
  ]),
  remembering('keeps instructions of the first scan', 'reload-body', (found, earlier) =>
    found.map((skill) => ({ ...skill, body: earlier.find(({ name }) => name === skill.name)?.body ?? skill.body })),
  ),
  fault('keeps files that it has read', 'reload-resource', ({ read }) => {
    const known = new Map<string, string>()
    return {
      async read(skills, name, path) {
        const key = join(skills.find((skill) => skill.name === name)?.folder ?? '', path)
        const text = known.get(key) ?? (await read(skills, name, path))
        known.set(key, text)
        return text
      },
    }
  }),
]
