import { SkillError } from '@repertoire/core'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import type { FetchProgress } from '../output/fetch-progress.ts'
import { paragraphs } from '../output/text.ts'
import { finishPlan } from './finish-plan.ts'
import { type InstallFlags, WRITE_EXIT_HELP, addInstallOptions, lockedOptions } from './project-options.ts'

interface UpdateFlags extends InstallFlags {
  readonly check?: true
}

const HELP = `
It names the files of edited skills, which stay as they are. A skill whose origin does not answer stays as it is; if you
name it, nothing is written. If a skill's files change, sessions ask for consent again.

${WRITE_EXIT_HELP}

Examples:
  $ repertoire update
  $ repertoire update pdf --check`

/** Adds `repertoire update`. */
export function addUpdate(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('update')
    .summary('fetch newer versions, except of edited skills')
    .description('Fetch the newest content of the skills in the lock. Edited skills stay as they are.')
    .argument('[NAME...]', 'skills of the lock (default: all)')
    .option('--check', 'show what is newer, and write nothing; exit code 1 if something is')
  addInstallOptions(command, 'also replace edited skills')
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (names: string[], options: UpdateFlags) => finish(await update(names, options, context)))
}

async function update(names: readonly string[], options: UpdateFlags, context: Context): Promise<ExitCode> {
  let isNewer = false
  const make = async (progress: FetchProgress) => {
    const { planUpdate } = await import('@repertoire/library')
    progress.begin('skills-lock.json')
    const plan = await planUpdate({
      ...(await lockedOptions(options, context)),
      onProgress: progress.step,
      ...(names.length > 0 && { skills: names }),
    })
    // Who names a skill wants this one: nothing is written without it.
    const failed = plan.skills.find(({ because }) => names.length > 0 && because === 'unchecked')
    if (failed?.problem !== undefined) throw new SkillError('ORIGIN_UNREACHABLE', failed.problem)
    isNewer = plan.writes
    return plan
  }
  const code = await finishPlan(make, options.check ? { ...options, dryRun: true } : options, context)
  return code === 0 && options.check === true && isNewer ? 1 : code
}
