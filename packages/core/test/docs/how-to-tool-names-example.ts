import { openSkills } from '@repertoire/core/node'

export function openHost(folder: string) {
  return openSkills(folder, { toolMap: { readDoc: 'Read', runCommand: { as: 'Bash', argument: 'cmd' } } })
}
