import { isSkillError, type ScriptRunner, type SessionProblem } from '@repertoire/core'
import { inspectDemands } from '@repertoire/core/authoring'
import { markLines } from '@repertoire/core/internal'
import type { Command } from 'commander'
import { constants } from 'node:os'
import { posix, resolve } from 'node:path'
import process from 'node:process'
import type { Context, Finish } from '../context.ts'
import { printFindings } from '../output/diagnostics.ts'
import { toJson } from '../output/json.ts'
import { EXIT_HELP, NOT_RUN, exitCodeOf, writeOutcome } from '../output/run-outcome.ts'
import { paragraphs, visible, visibleName } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { askYes } from './ask-yes.ts'
import { jsonOption, readSeconds, repeatableOption } from './options.ts'
import { type RunRequest, runSkill } from './run-skill.ts'
import { type RunnerName, openRunner, runnerOption } from './runner-choice.ts'
import { notFound } from './show.ts'
import { type SourceOptions, addReadOptions, openSkills } from './skill-sources.ts'

interface RunOptions extends SourceOptions {
  readonly root?: readonly string[]
  readonly runner?: RunnerName
  readonly network?: true
  readonly timeout?: number
  readonly workspace?: string
  readonly write?: true
  readonly env?: readonly string[]
  readonly yes?: true
  readonly json?: true
}

const HELP = `
The script works in a copy of the skill's folder, and sees none of your environment. "process" is no sandbox.
Without a SCRIPT, a skill of the type script, template or composite is executed; ARGS are its arguments, or one JSON object.

${EXIT_HELP}

Examples:
  $ repertoire run pdf scripts/fill.py --workspace . -- /workspace/form.pdf
  $ repertoire run release-notes -- '{ "version": "2.0" }'`

/** Adds `repertoire run`. */
export function addRun(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('run')
    .summary('run a script of a skill, or execute a skill')
    .description('Run a script of a skill in a sandbox, or execute a skill.')
    .argument('<SKILL>')
    .argument('[SCRIPT]')
    .argument('[ARGS...]')
    .usage('[options] <SKILL> [SCRIPT] [-- ARGS...]')
    .addOption(repeatableOption('--root <folder>', 'a folder of skills, in place of the configured ones'))
  addReadOptions(command)
    .addOption(runnerOption())
    .option('--network', 'let scripts use the network')
    .option('--timeout <seconds>', 'how long a script may run (default: 60 s)', readSeconds)
    .option('--workspace <folder>', 'let scripts read this folder, as WORKSPACE_DIR')
    .option('--write', 'let scripts write to the workspace')
    .addOption(repeatableOption('--env <name=value>', 'set a variable of the script'))
    .option('-y, --yes', 'agree to what is asked; needed without a terminal')
    .addOption(jsonOption())
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (_skill: string, _script: string, _args: string[], options: RunOptions, { args }: Command) =>
      finish(await run(args, options, context)),
    )
}

async function run(operands: readonly string[], options: RunOptions, context: Context): Promise<number> {
  const { args = [], stderr, folder } = context
  const behind = args.includes('--') ? operands.slice(operands.length - args.length + args.indexOf('--') + 1) : []
  const [skill, script, ...more] = operands.slice(0, operands.length - behind.length)
  const { workspace, write, network = false, timeout } = options
  if (skill === undefined) throw new UsageError('Name the skill before --.')
  if (more.length > 0) throw new UsageError(`What is passed to a script stands behind --: -- ${more.join(' ')}`)
  if (write && workspace === undefined) throw new UsageError('--write is for a --workspace, and none is named.')
  const environment = readVariables(options.env ?? [])
  const access = write ? 'write' : 'read'
  const place = workspace === undefined ? undefined : ({ path: resolve(folder, workspace), access } as const)
  const { runner, note } = await openRunner(options.runner, place).catch((error: unknown) => {
    if (!isSkillError(error)) throw error
    throw new UsageError(error.message, { code: error.code, exitCode: NOT_RUN.unavailable, cause: error })
  })
  try {
    const scripts = { runner, hooks: true, environment, network, limits: { timeout } } as const
    const opened = await openSkills(options.root ?? [], options, context, { scripts })
    const { repertoire } = opened
    await printFindings(opened.problems, context, 'before')
    if (note !== undefined && !options.json) await stderr.print(`${stderr.paint.dim(visible(note))}\n`)
    if (!repertoire.catalog.has(skill)) throw notFound(skill, options.root ?? [], opened, context, NOT_RUN.notFound)
    const { manifest, folder: files } = repertoire.catalog.get(skill)
    if (script !== undefined || manifest.type === 'instruction') {
      const { scripts: paths } = await inspectDemands({ manifest, diagnostics: [] }, files)
      // Before anybody is asked to agree to the skill.
      refuseUnknown(skill, script, paths)
    }
    return await runAndReport({ repertoire, skill, script, args: behind }, runner, options, context)
  } finally {
    await runner.close?.()
  }
}

async function runAndReport(
  request: Pick<RunRequest, 'repertoire' | 'skill' | 'script' | 'args'>,
  { name, isolation }: ScriptRunner,
  options: RunOptions,
  context: Context,
): Promise<number> {
  const { stdout, stderr, folder } = context
  const interrupted = new AbortController()
  const { signal } = interrupted
  const interrupt = (): void => {
    // Whoever presses Ctrl-C twice does not wait for the end of the script.
    if (signal.aborted) process.exit(INTERRUPTED)
    interrupted.abort()
  }
  // Not `once`: without a listener, the handler that ends child processes would end this one at once.
  process.on('SIGINT', interrupt)
  const problems: SessionProblem[] = []
  try {
    const outcome = await runSkill({
      ...request,
      session: {
        consent: async ({ id, text }, { signal: asked }) => {
          await stderr.write(`${markLines(text, stderr.columns)}\n`)
          const reason = 'there is no terminal to ask at; --yes answers yes'
          const answer = options.yes ?? (await askYes('Run it?', context, asked))
          return answer ?? { requestId: id, approved: false, reason }
        },
        cwd: folder,
        onProblem: (problem) => void problems.push(problem),
      },
      signal,
    })
    for (const { code, message } of problems) await stderr.print(`${stderr.paint.yellow(code)} ${visible(message)}\n`)
    const exitCode = exitCodeOf(outcome)
    const network = options.network === true
    const runner = { name, isolation: isolation.name, isolated: isolation.isolated, network }
    const came = outcome.ok ? { outcome: outcome.value } : { refusal: outcome.refusal }
    const { skill, script } = request
    if (options.json) await stdout.write(toJson({ skill, script, runner, ...came, exitCode }))
    else await writeOutcome(outcome, context)
    return exitCode
  } catch (error) {
    if (!signal.aborted) throw error
    return INTERRUPTED
  } finally {
    process.off('SIGINT', interrupt)
  }
}

const INTERRUPTED = 128 + constants.signals.SIGINT

/** @throws {UsageError} a skill has no such script, or none is named. A name can be given as lists show it, too. */
function refuseUnknown(skill: string, script: string | undefined, scripts: readonly string[]): void {
  const spellings = new Set(script === undefined ? [] : [script, posix.normalize(script)])
  if (scripts.some((path) => spellings.has(path) || spellings.has(visibleName(path)))) return
  const all =
    scripts.length === 0 ? 'It has no scripts to run.' : `Its scripts are: ${scripts.map(visibleName).join(', ')}.`
  const what =
    script === undefined
      ? `"${visibleName(skill)}" is instructions for a model${scripts.length === 0 ? '' : ': name the script to run'}.`
      : `The skill "${visibleName(skill)}" has no script "${visibleName(script)}".`
  throw new UsageError(`${what} ${all}`, { code: 'RESOURCE_NOT_FOUND', exitCode: NOT_RUN.notFound })
}

function readVariables(pairs: readonly string[]): Readonly<Record<string, string>> {
  const wrong = pairs.find((pair) => pair.indexOf('=') < 1)
  if (wrong !== undefined) throw new UsageError(`--env "${wrong}" is not NAME=VALUE.`)
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}
