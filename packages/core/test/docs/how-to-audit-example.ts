import type { Session } from '@repertoire/core'
import { jsonLinesAudit, openSkills, readAudit } from '@repertoire/core/node'

export async function runAudited(folder: string, path: string, task: (session: Session) => Promise<void>) {
  await using repertoire = await openSkills(folder, { audit: jsonLinesAudit({ path }) })
  await repertoire.runTask({ consent: () => true }, task)
}

export async function printRefusals(path: string) {
  for await (const { type, tool, code, reason, outcome } of readAudit(path)) {
    if (outcome === 'refused') console.log(type, tool, code, reason)
  }
}
