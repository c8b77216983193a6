import { openSkills } from '@repertoire/core/node'

export function openReaders(folder: string) {
  return openSkills(folder, { admit: { tools: ['Read', 'Grep', 'Glob'], scripts: false, hooks: false } })
}
