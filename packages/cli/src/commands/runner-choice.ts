import { isSkillError, type ScriptRunner } from '@repertoire/core'
import { Option } from 'commander'
import { UsageError } from '../usage-error.ts'

/** What can run scripts here. */
const RUNNER_NAMES = ['bubblewrap', 'virtual', 'process'] as const

/** One of them. */
export type RunnerName = (typeof RUNNER_NAMES)[number]

/** A runner, and why it is not the one that is preferred. */
export interface ChosenRunner {
  readonly runner: ScriptRunner
  readonly note?: string
}

/** `--runner`, the same for every command. */
export function runnerOption(): Option {
  return new Option(
    '--runner <name>',
    'what runs scripts (default: bubblewrap where it works, otherwise the virtual shell)',
  ).choices(RUNNER_NAMES)
}

/**
 * Opens what runs scripts: the one that is named, otherwise bubblewrap where it works, and the virtual shell where not.
 * A bare process is never chosen without its name.
 * @throws {SkillError} SCRIPT_NOT_STARTED: the one that is named does not work here
 */
export async function openRunner(name?: RunnerName): Promise<ChosenRunner> {
  // Only who runs scripts, or asks what can run, waits for this import.
  const { openBubblewrap, processRunner, virtualRunner } = await import('@repertoire/runners')
  if (name === 'process') return { runner: processRunner() }
  if (name === 'virtual') return { runner: virtualRunner() }
  if (name === 'bubblewrap') return { runner: await openBubblewrap() }
  try {
    return { runner: await openBubblewrap() }
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { runner: virtualRunner(), note: `${error.message} Scripts are run by the virtual shell.` }
  }
}

/**
 * Opens what would run scripts, to ask what it can run.
 * @throws {UsageError} the one that is named does not work here
 */
export async function openAskedRunner(name?: RunnerName): Promise<ChosenRunner> {
  try {
    return await openRunner(name)
  } catch (error) {
    if (!isSkillError(error)) throw error
    throw new UsageError(error.message)
  }
}
