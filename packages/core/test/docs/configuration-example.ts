import type { Repertoire } from '@repertoire/core'
import { loadConfiguration, openConfigured } from '@repertoire/core/node'

/** Opens what the user configured, and logs the file and what it, the environment and code set. */
export async function openHost(project: string, log: (line: string) => void): Promise<Repertoire> {
  const configuration = await loadConfiguration({ project })
  const { file = 'no file', given } = configuration
  log(`${file}: ${Object.keys(given).join(', ')}`)
  return openConfigured(configuration, { policy: { deny: ['Bash(git push:*)'] } })
}
