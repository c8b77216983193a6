import { isSkillError, SkillError, type ScriptRunner, type Workspace } from '@repertoire/core'
import { Option } from 'commander'
import { UsageError } from '../usage-error.ts'
import { isInstalled, missingText } from './optional-packages.ts'

/** What can run scripts here. */
const RUNNER_NAMES = ['bubblewrap', 'virtual', 'process'] as const

/** One of them. */
export type RunnerName = (typeof RUNNER_NAMES)[number]

/** `--runner`, the same for every command. */
export function runnerOption(): Option {
  return new Option('--runner <name>', 'what runs scripts (default: bubblewrap, or virtual)').choices(RUNNER_NAMES)
}

/**
 * Opens what runs scripts: the one that is named, otherwise bubblewrap where it works, and the virtual shell where not.
 * A bare process is never chosen without its name.
 * @param workspace the folder with the user's files, and whether scripts may write to it
 * @returns also why it is not the one that is preferred
 * @throws {SkillError} SCRIPT_NOT_STARTED: the one that is named does not work here, or none does
 */
export async function openRunner(
  name: RunnerName | undefined,
  workspace: Workspace | undefined,
): Promise<{ readonly runner: ScriptRunner; readonly note?: string }> {
  // Imported on first use: it is heavy.
  const { openBubblewrapRunner, processRunner, virtualRunner } = await import('@repertoire/runners')
  if (name === 'virtual' && workspace?.access === 'write')
    throw new UsageError('--write is not for the virtual shell: what it writes is in memory.')
  if (name === 'process') return { runner: processRunner({ workspace }) }
  let note: string | undefined
  if (name !== 'virtual') {
    try {
      return { runner: await openBubblewrapRunner({ workspace }) }
    } catch (error) {
      // The virtual shell could do nothing of what was asked for.
      const isNeeded = name === 'bubblewrap' || workspace?.access === 'write'
      if (!isSkillError(error) || isNeeded) throw error
      note = `${error.message} Scripts are run by the virtual shell.`
    }
  }
  if (isInstalled('just-bash')) return { runner: virtualRunner({ workspace }), note }
  throw new SkillError('SCRIPT_NOT_STARTED', `${note ?? ''} ${missingText('just-bash')}`.trim())
}
