import type { Repertoire } from '@repertoire/core'
import { loadConfiguration, openConfigured } from '@repertoire/core/node'

/** Opens what the user and the project configured, and logs which settings are not the default and who set them. */
export async function openHost(project: string, log: (line: string) => void): Promise<Repertoire> {
  const configuration = await loadConfiguration({ project })
  for (const [key, { from, at }] of Object.entries(configuration.origins)) {
    if (from !== 'default') log(`${key}: set by ${from}, ${at ?? 'in code'}`)
  }
  return openConfigured(configuration, { policy: { deny: ['Bash(git push:*)'] } })
}
