import type { ExportedSkill } from '@repertoire/library'
import type { Command } from 'commander'
import { resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { writeNewFile } from '../output/new-file.ts'
import type { Paint } from '../output/output.ts'
import { shownPath } from '../output/path.ts'
import { rowLines } from '../output/rows.ts'
import { count, paragraphs, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { addProjectOptions, type ProjectFlags, projectOf } from './project-options.ts'
import { type SourceOptions, addConfigOptions, openSkills } from './skill-sources.ts'

interface ExportFlags extends ProjectFlags, Pick<SourceOptions, 'config'> {
  readonly output: string
}

const HELP = `
  harness  a JSON file with the skills for AI SDK's HarnessAgent
  plugin   a folder for coding agents: Agent Plugins 1.0 and Claude Code

It exports skills that are admitted and whose files match the lock, and by its name also one that is not in the lock:
all that you name, or none. It says what each skill loses, and never replaces a file or a folder.

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
    .argument('<TARGET>', '"plugin" or "harness"')
    .argument('[NAME...]', 'skills (default: all of the lock)')
    .requiredOption('-o, --output <path>', 'the file or the folder to write')
  addConfigOptions(addProjectOptions(command))
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (target: string, names: string[], options: ExportFlags) =>
      finish(await exportTo(target, names, options, context)),
    )
}

async function exportTo(
  target: string,
  names: readonly string[],
  options: ExportFlags,
  context: Context,
): Promise<ExitCode> {
  const { stdout, folder } = context
  if (target !== 'plugin' && target !== 'harness')
    throw new UsageError(`There is no export to "${target}". Name "plugin" or "harness".`)
  const output = resolve(folder, options.output)
  const given = projectOf(options, context)
  const { exportHarnessSkills, exportPlugin, locateProject } = await import('@repertoire/library')
  const { project, folder: skillsFolder } = await locateProject(given)
  // As a host in the project would admit them.
  const { repertoire } = await openSkills(
    [skillsFolder],
    { config: options.config && resolve(folder, options.config) },
    { ...context, folder: project },
  )
  const chosen = { ...given, repertoire, ...(names.length > 0 && { skills: names }) }
  let exported: readonly ExportedSkill[]
  if (target === 'plugin') {
    exported = (await exportPlugin({ ...chosen, output })).exported
  } else {
    const harness = await exportHarnessSkills(chosen)
    exported = harness.exported
    writeNewFile(output, toJson(harness.skills), '--output names another file.')
  }
  const text = `${exportText(exported, stdout.paint)} Written to ${shownPath(output, folder)}.\n`
  await (options.json ? stdout.write(toJson({ target, output, skills: exported })) : stdout.print(text))
  return 0
}

function exportText(exported: readonly ExportedSkill[], paint: Paint): string {
  const lines = exported.flatMap(({ name, files, lost }) => [
    `${paint.bold(visibleName(name))}  ${count(files.length, 'file')}`,
    ...rowLines(
      lost.map(({ what, message }) => [what, message]),
      paint,
    ),
  ])
  return [...lines, '', `${count(exported.length, 'skill')}, each with what it loses.`].join('\n')
}
