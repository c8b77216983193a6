import type { Profile } from '@repertoire/core'
import { PROFILES } from '@repertoire/core/authoring'
import { type Command, Option } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { type DiagnosticStyle, diagnosticCounts, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import type { Paint } from '../output/output.ts'
import { count, paragraphs } from '../output/text.ts'
import { type Checked, type CheckedFile, checkPaths } from './check-paths.ts'
import { jsonOption } from './options.ts'
import { resolvePaths } from './path-arguments.ts'

interface ValidateOptions {
  readonly profile?: Profile
  readonly json?: true
}

const HELP = `
In a folder, all skills are checked, at any depth, except in .git and node_modules. Links are not followed. Notes are
advice for authors, for example about a link to a missing file. "repertoire check" tells more about one skill.

Exit code: 0 if there is no error (warnings and notes pass); 1 if there is one; 2 for a wrong command.

Examples:
  $ repertoire validate my-skill
  $ repertoire validate skills --profile strict`

/** Adds `repertoire validate`. */
export function addValidate(program: Command, context: Context, finish: Finish): void {
  program
    .command('validate')
    .summary('check SKILL.md files, and say what to do about each finding')
    .description('Check SKILL.md files. Every finding names the file, the line and what to do about it.')
    .argument('<PATH...>', 'SKILL.md files, or folders with them')
    .addOption(new Option('--profile <name>', 'how strictly they are read (default: "default")').choices(PROFILES))
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (paths: string[], options: ValidateOptions) => finish(await validate(paths, options, context)))
}

async function validate(paths: readonly string[], options: ValidateOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const checked = await checkPaths(resolvePaths(paths, folder), options.profile ?? 'default')
  const valid = checked.diagnostics.every(({ severity }) => severity !== 'error')
  await (options.json
    ? stdout.write(toJson({ valid, ...checked }))
    : stdout.print(validityText(checked, valid, { paint: stdout.paint, folder, limit: Infinity })))
  return valid ? 0 : 1
}

function validityText({ files, diagnostics }: Checked, valid: boolean, style: DiagnosticStyle): string {
  const details = diagnosticsText(diagnostics, style)
  const closing = [verdict(files, valid, style.paint), diagnosticCounts(diagnostics)].filter((part) => part !== '')
  return `${details === '' ? '' : `${details}\n`}${closing.join(' · ')}\n`
}

function verdict(files: readonly CheckedFile[], valid: boolean, paint: Paint): string {
  const broken = files.filter((file) => !file.valid).length
  if (valid) return paint.green(paint.bold(`${count(files.length, 'file')} valid`))
  const text = broken === 0 ? 'Not valid' : `${broken} of ${count(files.length, 'file')} not valid`
  return paint.red(paint.bold(text))
}
