import { type Profile } from '@repertoire/core'
import { DIAGNOSTIC_CODES } from '@repertoire/core/authoring'
import { type Command, Option } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { type DiagnosticStyle, SHOWN_DIAGNOSTICS, diagnosticCounts, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { type Output, type Paint, createPaint } from '../output/output.ts'
import { reportFile, saveReport } from '../output/report-file.ts'
import { toSarif } from '../output/sarif.ts'
import { count, paragraphs } from '../output/text.ts'
import { packageVersion } from '../version.ts'
import { type Checked, type CheckedFile, checkPaths } from './check-paths.ts'
import { resolvePaths } from './path-arguments.ts'
import { diagnosticsOption, jsonOption, profileOption } from './options.ts'
import { PATH_CODES } from '../finding.ts'

const FORMATS = ['terminal', 'json', 'sarif'] as const

interface ValidateOptions {
  readonly profile?: Profile
  readonly format?: (typeof FORMATS)[number]
  readonly json?: true
  readonly output?: string
  readonly diagnostics?: true
}

const HELP = `
In a folder, all skills are checked, at any depth, except in .git and node_modules. Links are not followed.
Notes are advice for authors, for example about a link to a missing file.

Exit code: 0 if there is no error (warnings and notes pass); 1 if there is one; 2 for a wrong command.

Examples:
  $ repertoire validate my-skill
  $ repertoire validate skills --profile strict
  $ repertoire validate skills --format sarif --output skills.sarif`

/** Adds `repertoire validate`. */
export function addValidate(program: Command, context: Context, finish: Finish): void {
  program
    .command('validate')
    .summary('check SKILL.md files, and say what to do about each finding')
    .description('Check SKILL.md files. Every finding names the file, the line and what to do about it.')
    .argument('<PATH...>', 'SKILL.md files, or folders with them')
    .addOption(profileOption('default'))
    .addOption(new Option('--format <name>', 'how the findings are written (default: "terminal")').choices(FORMATS))
    .addOption(jsonOption().conflicts('format'))
    .option('--output <file>', 'write the findings to a file in this format, and print them as text')
    .addOption(diagnosticsOption(SHOWN_DIAGNOSTICS))
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (paths: string[], options: ValidateOptions) => finish(await validate(paths, options, context)))
}

async function validate(paths: readonly string[], options: ValidateOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const format = options.json ? 'json' : (options.format ?? 'terminal')
  const file = options.output === undefined ? undefined : reportFile(options.output, folder)
  const absolutePaths = resolvePaths(paths, folder)
  const checked = await checkPaths(absolutePaths, options.profile ?? 'default')
  const valid = checked.diagnostics.every(({ severity }) => severity !== 'error')
  const limit = options.diagnostics ? Infinity : SHOWN_DIAGNOSTICS
  const render = (as: typeof format, { paint }: Pick<Output, 'paint'>, shown: number): string => {
    if (as === 'json') return toJson({ valid, ...checked })
    if (as === 'sarif') {
      const meanings = { ...DIAGNOSTIC_CODES, ...PATH_CODES }
      return toSarif(checked.diagnostics, { folder, version: packageVersion(), meanings })
    }
    return validityText(checked, valid, { paint, folder, limit: shown })
  }
  await stdout.write(render(file === undefined ? format : 'terminal', stdout, limit))
  if (file !== undefined) saveReport(file, render(format, { paint: createPaint(false) }, Infinity))
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
