import type { Command } from 'commander'
import type { Context, Finish } from '../context.ts'
import { paragraphs } from '../output/text.ts'
import { finishPlan } from './finish-plan.ts'
import { WRITE_EXIT_HELP, type WriteFlags, addWriteOptions, projectOf } from './project-options.ts'

const HELP = `
It refuses a skill that was edited or is not in the lock, because that cannot be restored.

${WRITE_EXIT_HELP}

Examples:
  $ repertoire remove pdf
  $ repertoire remove pdf csv --dry-run`

/** Adds `repertoire remove`. */
export function addRemove(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('remove')
    .summary('remove installed skills, and their entries in the lock')
    .description('Remove installed skills with their entries in the lock and their links.')
    .argument('<NAME...>', 'installed skills')
  addWriteOptions(command, 'also remove edited skills, and skills that are not in the lock')
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (names: string[], options: WriteFlags) => {
      const make = async () => {
        const { planRemove } = await import('@repertoire/library')
        return planRemove({ ...projectOf(options, context), skills: names, force: options.force === true })
      }
      finish(await finishPlan(make, options, context))
    })
}
