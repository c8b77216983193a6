import type { Leftover } from '@repertoire/library'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { paragraphs } from '../output/text.ts'
import { leftoverLines } from '../output/verification.ts'
import { agrees } from './ask-yes.ts'
import { type ProjectFlags, addProjectOptions, projectOf } from './project-options.ts'

interface RecoverFlags extends ProjectFlags {
  readonly yes?: true
}

const HELP = `
If a program is killed while it writes skills, something of it is left, and commands that write refuse the project.
This shows what is left. After a yes, a skill whose folder is missing gets its former content back, and everything
else is removed. Skills in their folders stay as they are: "repertoire verify" compares them.

Exit code: 0 if nothing is left; 1 if something is; 2 for a wrong command.

Examples:
  $ repertoire recover
  $ repertoire recover --yes`

/** Adds `repertoire recover`. */
export function addRecover(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('recover')
    .summary('show what a killed program left, and finish or undo it')
    .description('Show what a killed program left of a change of skills, and finish or undo the change.')
    .option('-y, --yes', 'do not ask')
  addProjectOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (options: RecoverFlags) => finish(await recover(options, context)))
}

async function recover(options: RecoverFlags, context: Context): Promise<ExitCode> {
  const { stdout } = context
  const project = projectOf(options, context)
  const isJson = options.json === true
  const { findLeftovers, recoverProject } = await import('@repertoire/library')
  const leftovers = await findLeftovers(project)
  if (!isJson) await stdout.print(leftoverText(leftovers, context))
  const isAgreed = leftovers.length > 0 && (options.yes === true || (await agrees('Do what is shown?', context)))
  if (isAgreed) await recoverProject(project)
  if (isJson) await stdout.write(toJson({ leftovers, recovered: isAgreed }))
  else if (isAgreed) await stdout.write('Done.\n')
  return leftovers.length === 0 || isAgreed ? 0 : 1
}

function leftoverText(leftovers: readonly Leftover[], { stdout }: Context): string {
  if (leftovers.length === 0) return 'Nothing is left of an unfinished change.\n'
  return `${leftoverLines(leftovers, stdout.paint).join('\n')}\n`
}
