import { join } from 'node:path'
import type { ToyMessage } from '../toy-host.ts'
import { remembering, type HostFault } from './break.ts'

export const isolationFaults: readonly HostFault[] = [
  {
    wrong: 'keeps what is loaded for all conversations together',
    fails: ['isolation-parallel'],
    change({ activate, start, system }) {
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
    },
  },
  {
    wrong: 'begins a conversation with the messages of the last one',
    fails: ['isolation-new-conversation', 'reload-body', 'reload-resource'],
    change() {
      const last = new Map<string, ToyMessage[]>()
      return {
        async begin({ folder }) {
          const messages = [...(last.get(folder) ?? [])]
          last.set(folder, messages)
          return messages
        },
      }
    },
  },
  {
    wrong: 'reads the folder of the conversation that began last',
    fails: ['isolation-two-folders'],
    change({ start, scan }) {
      let current = ''
      return {
        start(task) {
          current = task.folder
          return start(task)
        },
        scan: () => scan(current),
      }
    },
  },
]

export const reloadFaults: readonly HostFault[] = [
  {
    wrong: 'knows the skills of the first scan alone',
    fails: ['reload-added'],
    change: remembering((found, earlier) => found.filter(({ name }) => earlier.some((skill) => skill.name === name))),
  },
  {
    wrong: 'keeps descriptions of the first scan',
    fails: ['reload-changed'],
    change: remembering((found, earlier) =>
      found.map((skill) => ({
        ...skill,
        description: earlier.find(({ name }) => name === skill.name)?.description ?? skill.description,
      })),
    ),
  },
  {
    wrong: 'keeps skills that were removed',
    fails: ['reload-removed'],
    change: remembering((found, earlier) => [
      ...found,
      ...earlier.filter(({ name }) => !found.some((skill) => skill.name === name)),
    ]),
  },
  {
    wrong: 'keeps instructions of the first scan',
    fails: ['reload-body'],
    change: remembering((found, earlier) =>
      found.map((skill) => ({ ...skill, body: earlier.find(({ name }) => name === skill.name)?.body ?? skill.body })),
    ),
  },
  {
    wrong: 'keeps files that it has read',
    fails: ['reload-resource'],
    change({ read }) {
      const known = new Map<string, string>()
      return {
        async read(skills, name, path) {
          const key = join(skills.find((skill) => skill.name === name)?.folder ?? '', path)
          const text = known.get(key) ?? (await read(skills, name, path))
          known.set(key, text)
          return text
        },
      }
    },
  },
]
