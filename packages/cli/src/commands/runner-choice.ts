import { isSkillError, SkillError, type ScriptRunner, type Workspace } from '@repertoire/core'
import { Option } from 'commander'
import { UsageError } from '../usage-error.ts'
import { isInstalled, missingText } from './optional-packages.ts'

/** What can run scripts here. */
const RUNNER_NAMES = ['bubblewrap', 'virtual', 'process'] as const

/** The package that the virtual shell needs. */
const VIRTUAL_SHELL = 'just-bash'

/** One of them. */
export type RunnerName = (typeof RUNNER_NAMES)[number]

/** A runner, and why it is not the one that is preferred. */
export interface ChosenRunner {
  readonly runner: ScriptRunner
  readonly note?: string
}

/** What a runner is opened with. */
export interface RunnerSettings {
  /** The folder with the user's files, and whether scripts may write to it. */
  readonly workspace?: Workspace
  /** Folders with programs that are not the system's. */
  readonly toolchains?: readonly string[]
}

/** `--runner`, the same for every command. */
export function runnerOption(): Option {
  return new Option('--runner <name>', 'what runs scripts (default: bubblewrap, or virtual)').choices(RUNNER_NAMES)
}

/**
 * Opens what runs scripts: the one that is named, otherwise bubblewrap where it works, and the virtual shell where not.
 * A bare process is never chosen without its name.
 * @throws {SkillError} SCRIPT_NOT_STARTED: the one that is named does not work here, or none does
 */
export async function openRunner(name?: RunnerName, settings: RunnerSettings = {}): Promise<ChosenRunner> {
  const { workspace, toolchains = [] } = settings
  // Imported on first use: it is heavy.
  const { openBubblewrapRunner, processRunner, virtualRunner } = await import('@repertoire/runners')
  if (toolchains.length > 0 && (name === 'process' || name === 'virtual'))
    throw new UsageError(
      `--toolchain is for bubblewrap: the ${name} runner ${name === 'process' ? 'finds what is in PATH' : 'has no programs of a system'}.`,
    )
  const inMemory = (): ScriptRunner => virtualRunner({ workspace })
  const sandbox = (): Promise<ScriptRunner> => openBubblewrapRunner({ workspace, toolchains })
  if (name === 'process') return { runner: processRunner({ workspace }) }
  if (name === 'virtual' && workspace?.access === 'write')
    throw new UsageError('--write is not for the virtual shell: what it writes is in memory.')
  if (name === 'virtual') {
    if (!isInstalled(VIRTUAL_SHELL)) throw new SkillError('SCRIPT_NOT_STARTED', missingText(VIRTUAL_SHELL))
    return { runner: inMemory() }
  }
  if (name === 'bubblewrap') return { runner: await sandbox() }
  try {
    return { runner: await sandbox() }
  } catch (error) {
    if (!isSkillError(error)) throw error
    // It could do nothing of what was asked for.
    if (workspace?.access === 'write' || toolchains.length > 0) throw error
    if (!isInstalled(VIRTUAL_SHELL)) {
      throw new SkillError('SCRIPT_NOT_STARTED', `${error.message} ${missingText(VIRTUAL_SHELL)}`, { cause: error })
    }
    return { runner: inMemory(), note: `${error.message} Scripts are run by the virtual shell.` }
  }
}
