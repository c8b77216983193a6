import { skillFolder } from '@repertoire/core/node'
import type { Command } from 'commander'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import type { Context, ExitCode, Finish } from '../context.ts'
import { toJson } from '../output/json.ts'
import { shownPath } from '../output/path.ts'
import { count } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { reportError } from './finish-plan.ts'
import { jsonOption } from './options.ts'

interface PackFlags {
  readonly zip?: true
  readonly output?: string
  readonly force?: true
  readonly dryRun?: true
  readonly json?: true
}

const HELP = `
The archive has all files of the skill, also hidden ones. The same files give the same bytes on every machine.

Exit code: 0; 1 if the folder is not a skill that "repertoire add" accepts; 2 for a wrong command.

Examples:
  $ repertoire pack .agents/skills/pdf
  $ repertoire pack skills/pdf --zip --output pdf.zip`

/** Adds `repertoire pack`. */
export function addPack(program: Command, context: Context, finish: Finish): void {
  program
    .command('pack')
    .summary('pack a skill into an archive, the same bytes every time')
    .description("Pack a skill's folder into an archive that others can add.")
    .argument('<FOLDER>', "the skill's folder")
    .option('--zip', 'a zip instead of a .tar.gz')
    .option('-o, --output <file>', 'where to write it (default: <name>.tar.gz or <name>.zip here)')
    .option('-f, --force', 'replace an existing file')
    .option('-n, --dry-run', 'pack it, and write nothing')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (path: string, options: PackFlags) => finish(await pack(path, options, context)))
}

async function pack(path: string, options: PackFlags, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const source = resolve(folder, path)
  const format = options.zip ? 'zip' : 'tar.gz'
  try {
    const { packSkill } = await import('@repertoire/library')
    const { name, bytes, paths } = await packSkill(skillFolder(source), basename(source), { format })
    const output = resolve(folder, options.output ?? `${name}.${format}`)
    if (!options.dryRun) write(output, bytes, options.force === true)
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (options.json) await stdout.write(toJson({ name, output, bytes: bytes.length, sha256, paths }))
    else {
      const what = `${count(paths.length, 'file')}, ${bytes.length} bytes, sha256 ${sha256}`
      await stdout.write(`${shownPath(output, folder)}  ${what}${options.dryRun ? '  (not written)' : ''}\n`)
    }
    return 0
  } catch (error) {
    return reportError(error, options.json === true, context)
  }
}

/** @throws {UsageError} a file is there, or it cannot be written */
function write(output: string, bytes: Uint8Array, force: boolean): void {
  if (!force && statSync(output, { throwIfNoEntry: false }) !== undefined) {
    throw new UsageError(`${output} is there already. --force replaces it, --output names another file.`)
  }
  const staged = join(resolve(output, '..'), `.${basename(output)}.${process.pid}`)
  try {
    writeFileSync(staged, bytes, { flag: 'wx' })
    renameSync(staged, output)
  } catch (error) {
    rmSync(staged, { force: true })
    throw new UsageError(`${output} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}
