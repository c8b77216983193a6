import { parseSkill, renderSkill } from '@repertoire/core/authoring'
import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { paragraphs } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { type ProjectFlags, addProjectOptions, projectOf, toOption } from './project-options.ts'

interface NewFlags extends ProjectFlags {
  readonly description: string
  readonly dryRun?: true
}

const HELP = `
A model chooses a skill by its description, so say what it does and when to use it. It never replaces a skill.

Exit code: 0; 1 if it cannot be written, with the reason; 2 for a wrong command.

Examples:
  $ repertoire new pdf-forms \\
      --description "Fills in PDF forms. Use it when a form has to be filled."`

/** Adds `repertoire new`. */
export function addNew(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('new')
    .summary('write a new skill')
    .description('Write the SKILL.md of a new skill, valid from the start.')
    .argument('<NAME>', 'lowercase letters, digits and single hyphens')
    .requiredOption('-d, --description <text>', 'what it does, and when to use it')
    .option('-n, --dry-run', 'print the SKILL.md, and write nothing')
    .addOption(toOption())
  addProjectOptions(command)
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (name: string, options: NewFlags) => finish(await create(name, options, context)))
}

async function create(name: string, options: NewFlags, context: Context): Promise<ExitCode> {
  const { description, dryRun } = options
  const { stdout, folder } = context
  const project = projectOf(options, context)
  const { locateProject, openFileStore } = await import('@repertoire/library')
  const { folder: root } = await locateProject(project)
  const content = {
    manifest: { name, description },
    body: `# ${name}\n\nSay here step by step what is to be done.\n`,
  }
  const text = await renderSkill(content)
  // What other systems would refuse is not begun.
  const { diagnostics } = await parseSkill(text, { folderName: name, profile: 'strict' })
  const found = diagnostics.find(({ severity }) => severity === 'error')
  if (found !== undefined)
    throw new UsageError([found.message, found.hint].join(' '), { code: found.code, exitCode: 1 })
  const path = join(root, name, 'SKILL.md')
  if (existsSync(join(root, name))) {
    const message = `${shownPath(join(root, name), folder)} exists already. Choose another name.`
    throw new UsageError(message, { code: 'STORE_CONFLICT', exitCode: 1 })
  }
  if (!dryRun) await (await openFileStore({ root })).save({ ...content, text }, { ifRevision: null })
  if (options.json) await stdout.write(toJson({ name, path, text }))
  else if (dryRun) await stdout.write(text)
  else {
    const next = `repertoire check ${shownPath(join(root, name), folder)}`
    await stdout.print(
      `Written: ${shownPath(path, folder)}\nNext, write its instructions, and then run:\n  $ ${next}\n`,
    )
  }
  return 0
}
