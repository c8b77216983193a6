import type { Command } from 'commander'
import type { Context, Finish } from '../context.ts'
import type { FetchProgress } from '../output/fetch-progress.ts'
import { paragraphs } from '../output/text.ts'
import { finishPlan } from './finish-plan.ts'
import { type InstallFlags, WRITE_EXIT_HELP, addInstallOptions, lockedOptions } from './project-options.ts'

const HELP = `
Missing skills are fetched, and written only if every file has the digest in the lock. Edited skills stay as they are.

${WRITE_EXIT_HELP}

Examples:
  $ repertoire install
  $ repertoire install --frozen`

/** Adds `repertoire install`. */
export function addInstall(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('install')
    .summary('restore the skills that the lock says')
    .description('Restore the skills of a project as skills-lock.json has them, file by file.')
    .option('--frozen', 'fail if anything differs from the lock, and change nothing in it')
  addInstallOptions(command, 'restore edited skills to what the lock says')
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (options: InstallFlags & { readonly frozen?: true }) => {
      const make = async (progress: FetchProgress) => {
        const { planInstall } = await import('@repertoire/library')
        progress.begin('skills-lock.json')
        return planInstall({
          ...(await lockedOptions(options, context)),
          frozen: options.frozen === true,
          onProgress: progress.step,
        })
      }
      finish(await finishPlan(make, options, context))
    })
}
