import { skillFolder } from '@repertoire/core/node'
import type { Command } from 'commander'
import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { writeNewFile } from '../output/new-file.ts'
import { shownPath } from '../output/path.ts'
import { count, paragraphs } from '../output/text.ts'
import { jsonOption } from './options.ts'

interface PackFlags {
  readonly output?: string
  readonly dryRun?: true
  readonly json?: true
}

const HELP = `
The archive has all files of the skill, also hidden ones, but not .git. The same files give the same bytes on every machine.

Exit code: 0; 1 if the folder is not a skill that "repertoire add" accepts; 2 for a wrong command.

Examples:
  $ repertoire pack .agents/skills/pdf
  $ repertoire pack skills/pdf --output dist/pdf.zip`

/** Adds `repertoire pack`. */
export function addPack(program: Command, context: Context, finish: Finish): void {
  program
    .command('pack')
    .summary('pack a skill into a zip, the same bytes every time')
    .description("Pack a skill's folder into a zip that others can add.")
    .argument('<FOLDER>', "the skill's folder")
    .option('-o, --output <file>', 'where to write it (default: <name>.zip here)')
    .option('-n, --dry-run', 'pack it, and write nothing')
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (path: string, options: PackFlags) => finish(await pack(path, options, context)))
}

async function pack(path: string, options: PackFlags, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const source = resolve(folder, path)
  const { packSkill } = await import('@repertoire/library')
  const { name, bytes, paths } = await packSkill(skillFolder(source), basename(source))
  const output = resolve(folder, options.output ?? `${name}.zip`)
  if (!options.dryRun) writeNewFile(output, bytes, 'Remove it, or name another file with --output.')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const what = `${count(paths.length, 'file')}, ${bytes.length} bytes, sha256 ${sha256}`
  const text = `${shownPath(output, folder)}  ${what}${options.dryRun ? '  (not written)' : ''}\n`
  await (options.json ? stdout.write(toJson({ name, output, bytes: bytes.length, sha256, paths })) : stdout.print(text))
  return 0
}
