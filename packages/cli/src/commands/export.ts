import type { ExportedSkill } from '@repertoire/library'
import { Argument, type Command } from 'commander'
import { linkSync, renameSync, rmSync, lstatSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import type { Paint } from '../output/output.ts'
import { shownPath } from '../output/path.ts'
import { count, padTo, visible, visibleLine, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { reportError } from './finish-plan.ts'
import { addProjectOptions, type ProjectFlags, projectOf } from './project-options.ts'
import { addReadOptions, openSkills, type SourceOptions } from './skill-sources.ts'

const TARGETS = ['harness', 'plugin'] as const

type Target = (typeof TARGETS)[number]

interface ExportFlags extends ProjectFlags, SourceOptions {
  readonly output?: string
  readonly name?: string
  readonly dryRun?: true
}

const HELP = `
  harness  a JSON file with the skills for AI SDK's HarnessAgent
  plugin   a folder for coding agents: Agent Plugins 1.0 and Claude Code

It exports skills that are admitted and whose files match the lock, and by its name also one that is not in the lock:
all that you name, or none. It says what each skill loses, and never replaces what it has not written itself.

Exit code: 0; 1 if a skill is refused or the folder has other files; 2 for a wrong command.

Examples:
  $ repertoire export plugin --output dist/office-skills
  $ repertoire export harness pdf csv --output skills.json`

/** Adds `repertoire export`. */
export function addExport(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('export')
    .summary('hand installed skills to systems that load skills themselves')
    .description('Export installed skills to systems that load skills themselves.')
    .addArgument(new Argument('<TARGET>', 'what they are exported to').choices(TARGETS))
    .argument('[NAME...]', 'skills (default: all of the lock)')
    .option('-o, --output <path>', 'the file or the folder to write')
    .option('--name <name>', 'the name of the plugin (default: that of the folder)')
    .option('-n, --dry-run', 'check everything, and write nothing')
  addReadOptions(addProjectOptions(command))
    .addHelpText('after', HELP)
    .action(async (target: Target, names: string[], options: ExportFlags) =>
      finish(await exportTo(target, names, options, context)),
    )
}

async function exportTo(
  target: Target,
  names: readonly string[],
  options: ExportFlags,
  context: Context,
): Promise<ExitCode> {
  const { stdout, folder } = context
  if (options.output === undefined) throw new UsageError('Give --output: the file or the folder to write.')
  if (options.name !== undefined && target !== 'plugin') throw new UsageError('--name is for plugins.')
  const output = resolve(folder, options.output)
  const given = projectOf(options, context)
  try {
    const { locateProject } = await import('@repertoire/library')
    const { project, folder: skillsFolder } = await locateProject(given)
    // As a host in the project would admit them.
    const opened = await openSkills([skillsFolder], options, { ...context, folder: project })
    if (opened === undefined) return 2
    const { repertoire } = opened
    const chosen = { ...given, repertoire, ...(names.length > 0 && { skills: names }) }
    try {
      const isDry = options.dryRun === true
      const exported = await write(target, output, isDry, { ...chosen, name: options.name })
      if (options.json) await stdout.write(toJson({ target, output, written: !isDry, skills: exported }))
      else await stdout.write(exportText(exported, { ...stdout, place: shownPath(output, folder), isDry }))
      return 0
    } finally {
      await repertoire.close()
    }
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
}

type Chosen = Parameters<typeof import('@repertoire/library').exportHarnessSkills>[0] & {
  readonly name: string | undefined
}

async function write(
  target: Target,
  output: string,
  dryRun: boolean,
  { name, ...chosen }: Chosen,
): Promise<readonly ExportedSkill[]> {
  const { exportHarnessSkills, exportPlugin } = await import('@repertoire/library')
  if (target === 'plugin') return (await exportPlugin({ ...chosen, name, output, dryRun })).exported
  if (lstatSync(output, { throwIfNoEntry: false }) !== undefined) throw isThere(output)
  const { skills, exported } = await exportHarnessSkills(chosen)
  if (!dryRun) writeNew(output, toJson(skills))
  return exported
}

function isThere(output: string): UsageError {
  return new UsageError(`${output} is there already. --output names another file.`)
}

/** Writes a file that is complete when it appears. @throws {UsageError} one is there, or it cannot be written */
function writeNew(output: string, text: string): void {
  const staged = join(dirname(output), `.${basename(output)}.${process.pid}`)
  try {
    writeFileSync(staged, text, { flag: 'wx' })
    try {
      // A link fails where a file is, which a rename would replace.
      linkSync(staged, output)
    } catch (error) {
      if (lstatSync(output, { throwIfNoEntry: false }) !== undefined) throw isThere(output)
      if (!(error instanceof Error)) throw error
      renameSync(staged, output)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${output} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    rmSync(staged, { force: true })
  }
}

function exportText(
  exported: readonly ExportedSkill[],
  { paint, place, isDry }: { readonly paint: Paint; readonly place: string; readonly isDry: boolean },
): string {
  const lines = exported.flatMap(({ name, files, lost }) => {
    const width = Math.max(...lost.map(({ what }) => what.length))
    return [
      `${paint.bold(visibleName(name))}  ${count(files.length, 'file')}`,
      ...lost.map(({ what, message }) => `  ${paint.yellow(padTo(visible(what), width))}  ${visibleLine(message)}`),
    ]
  })
  const end = isDry ? `Nothing was written to ${place} (--dry-run).` : `Written to ${place}.`
  return `${[...lines, '', `${count(exported.length, 'skill')}, each with what it loses. ${end}`].join('\n')}\n`
}
