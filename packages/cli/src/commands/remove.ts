import type { Command } from 'commander'
import type { Context, Finish } from '../context.ts'
import { finishPlan } from './finish-plan.ts'
import { PLACES_HELP, WRITE_EXIT_HELP, type WriteFlags, addWriteOptions, projectOf } from './project-options.ts'

const HELP = `
Its folder, its entry in the lock, and its links and copies for other clients go together. A skill that was edited, or
that is not in the lock, is refused, since nothing could bring it back; --force removes it.
${PLACES_HELP}

The JSON value is that of "repertoire add".
${WRITE_EXIT_HELP}

Examples:
  $ repertoire remove pdf
  $ repertoire remove pdf csv --dry-run
`

/** Adds `repertoire remove`. */
export function addRemove(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('remove')
    .summary('remove installed skills, and their entries in the lock')
    .description('Remove installed skills: their folders, their entries in the lock, their links and copies.')
    .argument('<NAME...>', 'installed skills')
  addWriteOptions(command, 'remove edited skills too, and such as are not in the lock')
    .addHelpText('after', HELP)
    .action(async (names: string[], options: WriteFlags) => {
      const make = async () => {
        const { planRemove } = await import('@repertoire/library')
        return planRemove({ ...projectOf(options, context), skills: names, force: options.force === true })
      }
      finish(await finishPlan(make, options, context))
    })
}
