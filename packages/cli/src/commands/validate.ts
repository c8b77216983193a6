import type { Profile } from '@repertoire/core'
import type { Command } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { SHOWN_DIAGNOSTICS, diagnosticCounts, diagnosticsText } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import type { Paint } from '../output/output.ts'
import { count } from '../output/text.ts'
import { type CheckedFile, checkPaths } from './check-paths.ts'
import { resolveGiven } from './given-path.ts'
import { PROFILE_HELP, diagnosticsOption, jsonOption, profileOption } from './options.ts'

interface ValidateOptions {
  readonly profile: Profile
  readonly json?: true
  readonly diagnostics?: true
}

const HELP = `
A PATH is one of:
  a SKILL.md file
  a skill: a folder that holds a SKILL.md; folders below it are its own business and not looked into
  any other folder: every skill below it, at any depth and in hidden folders, but never in .git or node_modules
A link is not followed, and a PATH without any SKILL.md is an error.

${PROFILE_HELP}

The JSON value is { valid, files, diagnostics }. A file has path and valid; a diagnostic has code, severity, path and
message, and often line and hint.

Exit code: 0 if there is no error (warnings and notes are allowed); 1 if there is one; 2 for a wrong command.

Examples:
  $ repertoire validate my-skill
  $ repertoire validate skills --profile strict
  $ repertoire validate a/SKILL.md b/SKILL.md --json
`

/** Adds `repertoire validate`. */
export function addValidate(program: Command, context: Context, finish: Finish): void {
  program
    .command('validate')
    .summary('check SKILL.md files, and say what to do about each finding')
    .description('Check SKILL.md files. Every finding names the file, the line and what to do about it.')
    .argument('<PATH...>', 'SKILL.md files, skills, or folders of skills')
    .addOption(profileOption())
    .addOption(jsonOption())
    .addOption(diagnosticsOption(SHOWN_DIAGNOSTICS))
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: ValidateOptions) => finish(await validate(paths, options, context)))
}

async function validate(paths: readonly string[], options: ValidateOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const { files, diagnostics } = await checkPaths(resolveGiven(paths, folder), options.profile)
  const valid = diagnostics.every(({ severity }) => severity !== 'error')
  if (options.json) {
    await stdout.write(toJson({ valid, files, diagnostics }))
  } else {
    const limit = options.diagnostics ? Infinity : SHOWN_DIAGNOSTICS
    const details = diagnosticsText(diagnostics, { paint: stdout.paint, folder, limit })
    const closing = [verdict(files, valid, stdout.paint), diagnosticCounts(diagnostics)].filter((part) => part !== '')
    await stdout.write(`${details === '' ? '' : `${details}\n`}${closing.join(' · ')}\n`)
  }
  return valid ? 0 : 1
}

function verdict(files: readonly CheckedFile[], valid: boolean, paint: Paint): string {
  const broken = files.filter((file) => !file.valid).length
  if (valid) return paint.green(paint.bold(`${count(files.length, 'file')} valid`))
  const text = broken === 0 ? 'Not valid' : `${broken} of ${count(files.length, 'file')} not valid`
  return paint.red(paint.bold(text))
}
