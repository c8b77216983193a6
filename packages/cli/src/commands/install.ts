import type { Command } from 'commander'
import type { Context, Finish } from '../context.ts'
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

const HELP = `
What is missing is fetched by its exact revision, and written only if every file has the digest of the lock. What the
lock has was agreed to when it was added, so that nothing is asked; skills that another command has added, without
digests, are shown first. They are pinned as they are. What was edited is kept; --force takes the lock's content back.
--frozen is for machines: no network where all is there, and anything that differs from the lock is an error.
${PLACES_HELP}
${TOKEN_HELP}

The JSON value is that of "repertoire add".
${WRITE_EXIT_HELP}

Examples:
  $ repertoire install
  $ repertoire install --frozen
`

/** Adds `repertoire install`. */
export function addInstall(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('install')
    .summary('bring the skills to what the lock says')
    .description('Bring the skills of a project to what skills-lock.json says, file by file.')
    .option('--frozen', 'what differs from the lock is an error, and the lock stays as it is')
  addFetchOptions(addWriteOptions(command, "take the lock's content back for edited skills"))
    .addHelpText('after', HELP)
    .action(async (options: WriteFlags & FetchFlags & { readonly frozen?: true }) => {
      const make = async (progress: FetchProgress) => {
        const { planInstall } = await import('@repertoire/library')
        progress.begin('skills-lock.json')
        return planInstall({
          ...projectOf(options, context),
          frozen: options.frozen === true,
          force: options.force === true,
          origin: originOptions(options),
          onProgress: progress.step,
        })
      }
      finish(await finishPlan(make, options, context))
    })
}
