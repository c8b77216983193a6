import { isSkillError } from '@repertoire/core'
import type { Leftover } from '@repertoire/library'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { count } from '../output/text.ts'
import { leftoverLines } from '../output/verification.ts'
import { askYes } from './ask-yes.ts'
import { reportError } from './finish-plan.ts'
import { type ProjectFlags, addProjectOptions, projectOf } from './project-options.ts'

interface RecoverFlags extends ProjectFlags {
  readonly clear?: true
  readonly yes?: true
}

const HELP = `
If a program is killed while it writes skills, the next command that writes finishes or undoes its change, and so does
this one. A change from elsewhere is only listed, and commands that write refuse the project until you clear it.
Before --clear, look into folders that begin with "former-": one may hold the only copy of a skill.

Exit code: 0 if nothing is left; 1 if something is; 2 for a wrong command.

Examples:
  $ repertoire recover
  $ repertoire recover --clear`

/** Adds `repertoire recover`. */
export function addRecover(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('recover')
    .summary('finish or clear what a killed program left')
    .description('Finish the changes of skills that a killed program left, and list or clear those of others.')
    .option('--clear', 'remove what is left, after asking')
    .option('-y, --yes', 'with --clear: do not ask')
  addProjectOptions(command)
    .addHelpText('after', HELP)
    .action(async (options: RecoverFlags) => finish(await recover(options, context)))
}

async function recover(options: RecoverFlags, context: Context): Promise<ExitCode> {
  const { stdout, stderr } = context
  const project = projectOf(options, context)
  const isJson = options.json === true
  try {
    const { clearLeftovers, findLeftovers, recoverProject } = await import('@repertoire/library')
    if (options.clear !== true) await recoverProject(project)
    const leftovers = await findLeftovers(project)
    if (!isJson) await stdout.write(leftoverText(leftovers, context))
    const isCleared =
      options.clear === true && leftovers.length > 0 && (options.yes === true || (await agree(leftovers, context)))
    if (isCleared) await clearLeftovers(project)
    if (isJson) await stdout.write(toJson({ leftovers, cleared: isCleared }))
    else if (isCleared) await stdout.write('Cleared.\n')
    return leftovers.length === 0 || isCleared ? 0 : 1
  } catch (error) {
    const code = await reportError(error, isJson, context)
    const canClear = isSkillError(error) && (error.code === 'STORE_CONFLICT' || error.code === 'FOLDER_NOT_WRITABLE')
    if (options.clear !== true && canClear)
      await stderr.write('"repertoire recover --clear" removes what cannot be finished.\n')
    return code
  }
}

async function agree(leftovers: readonly Leftover[], context: Context): Promise<boolean> {
  const answer = await askYes(`Remove ${count(leftovers.length, 'leftover')}?`, context)
  if (answer === undefined) await context.stderr.write('There is no terminal to ask at. --yes removes them.\n')
  return answer === true
}

function leftoverText(leftovers: readonly Leftover[], { stdout }: Context): string {
  if (leftovers.length === 0) return 'Nothing is left of an unfinished change.\n'
  return `${leftoverLines(leftovers, stdout.paint).join('\n')}\n`
}
