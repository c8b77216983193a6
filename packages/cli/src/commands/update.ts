import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import type { FetchProgress } from '../output/fetch-progress.ts'
import { finishPlan } from './finish-plan.ts'
import {
  type FetchFlags,
  PLACES_HELP,
  TOKEN_HELP,
  WRITE_EXIT_HELP,
  type WriteFlags,
  addFetchOptions,
  addWriteOptions,
  originOptions,
  projectOf,
} from './project-options.ts'

interface UpdateFlags extends WriteFlags, FetchFlags {
  readonly check?: true
}

const HELP = `
Without a NAME, all skills of the lock. Of a repository only they are fetched, and nothing where it has not moved. What was
edited here is kept, and its files are named; --force replaces it. A session asks for consent again before it
activates a skill whose files have changed.
--check shows what is newer, writes nothing, and ends with 1 if there is something.
${PLACES_HELP}
${TOKEN_HELP}

The JSON value is that of "repertoire add".
${WRITE_EXIT_HELP}

Examples:
  $ repertoire update
  $ repertoire update pdf --check
`

/** Adds `repertoire update`. */
export function addUpdate(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('update')
    .summary('fetch what is newer, and keep what was edited')
    .description('Fetch the newest content of the skills in the lock. Edited skills are kept.')
    .argument('[NAME...]', 'skills of the lock (default: all)')
    .option('--check', 'show what is newer, and write nothing')
  addFetchOptions(addWriteOptions(command, 'replace edited skills too'))
    .addHelpText('after', HELP)
    .action(async (names: string[], options: UpdateFlags) => finish(await update(names, options, context)))
}

async function update(names: readonly string[], options: UpdateFlags, context: Context): Promise<ExitCode> {
  let isNewer = false
  const make = async (progress: FetchProgress) => {
    const { planUpdate } = await import('@repertoire/library')
    progress.begin('skills-lock.json')
    const plan = await planUpdate({
      ...projectOf(options, context),
      force: options.force === true,
      origin: originOptions(options),
      onProgress: progress.step,
      ...(names.length > 0 && { skills: names }),
    })
    isNewer = plan.writes
    return plan
  }
  const code = await finishPlan(make, options.check ? { ...options, dryRun: true } : options, context)
  return code === 0 && options.check === true && isNewer ? 1 : code
}
