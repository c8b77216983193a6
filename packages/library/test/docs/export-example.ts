import { openConfigured } from '@repertoire/core/node'
import { exportHarnessSkills, exportPlugin, type ExportedSkill } from '@repertoire/library'

/** Returns skills for `new HarnessAgent({ harness, skills })`. */
export async function harnessSkills(project: string, log: (line: string) => void) {
  const repertoire = await openConfigured({ project })
  const { skills, exported } = await exportHarnessSkills({ project, repertoire })
  logLosses(exported, log)
  return skills
}

function logLosses(exported: readonly ExportedSkill[], log: (line: string) => void): void {
  for (const { name, lost } of exported) {
    for (const { what, message } of lost) log(`${name} loses ${what}: ${message}`)
  }
}

/** Writes a plugin for coding agents, named as its folder. */
export async function writePlugin(project: string, output: string) {
  const repertoire = await openConfigured({ project })
  return exportPlugin({ project, repertoire, output })
}
