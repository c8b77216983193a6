import { accessSync, constants, statSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { Context, ExitCode, Finish } from '../context.ts'
import { inspectorPage, type PageIntroduction, pageWithLogs, sampleLog } from '../inspector/page.ts'
import { openInspector } from '../inspector/server.ts'
import { reportFile, saveReport } from '../output/report-file.ts'
import { paragraphs, visibleLine } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { ended } from './ended.ts'
import { readPort } from './options.ts'
import { resolvePaths } from './path-arguments.ts'

interface InspectOptions {
  readonly live?: true
  readonly port?: number
  readonly out?: string
}

const HELP = `
The page shows each step: what the model was shown, why a skill was used or not, and who decided about each call.
A program writes such a log, or sends it to this page while it runs: docs/audit.md has the lines for both. Only this
machine can open the page, with the key in its address.

Exit code: 0 when it was ended, or the file was written; 2 for a wrong command, an unreadable log or a taken port.

Examples:
  $ repertoire inspect audit.jsonl
  $ repertoire inspect --live --port 4711
  $ repertoire inspect audit.jsonl --out run.html`

/** Adds `repertoire inspect`. */
export function addInspect(program: Command, context: Context, finish: Finish): void {
  program
    .command('inspect')
    .summary('look at what an agent was shown, asked and allowed')
    .description('Show the audit of an agent in a page: from logs, or while it runs.')
    .argument('[LOG...]', 'audit logs (default: a sample)')
    .addOption(new Option('--live', 'follow running agents'))
    .addOption(new Option('--port <port>', 'serve at this port (default: any free one)').argParser(readPort))
    .addOption(new Option('--out <file>', 'write the page with its logs as one HTML file, secrets masked'))
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (logs: string[], options: InspectOptions) => finish(await inspect(logs, options, context)))
}

async function inspect(given: readonly string[], options: InspectOptions, context: Context): Promise<ExitCode> {
  const { live = false, port = 0, out } = options
  const { folder, stdout } = context
  const isSample = given.length === 0 && !live
  const introduction = isSample ? SAMPLE : undefined
  const logs = isSample ? [sampleLog()] : resolvePaths(given, folder)
  for (const log of logs) checkLog(log)
  if (out !== undefined) {
    if (live) throw new UsageError('--live and --out do not go together. Export from the page instead.')
    const file = reportFile(out, folder, '--out')
    if (logs.some((log) => isSame(log, file))) {
      throw new UsageError(`--out ${out} is the log itself. Name another file.`)
    }
    // As private as the log: an audit describes a person's work.
    saveReport(file, await pageWithLogs(logs, introduction), 0o600)
    await stdout.write(`${visibleLine(`The page is in ${file}`)}\n`)
    return 0
  }
  const stop = ended(context.stopped)
  const server = await openInspector({ page: inspectorPage(), logs, introduction, isLive: live, port })
  if (isSample) await stdout.write('This is a sample. Open your own log: repertoire inspect audit.jsonl\n')
  await stdout.write(`Open ${server.url}\n`)
  if (live) await stdout.write(`An agent sends its events with inspectorSink({ url: '${server.url}' })\n`)
  await stdout.write('End with Ctrl+C.\n')
  await stop
  await server.close()
  return 0
}

/** What the page says of the sample. */
const SAMPLE: PageIntroduction = {
  notice:
    "This is a sample. Your program writes a log with openSkills(folder, { audit: jsonLinesAudit({ path: 'audit.jsonl' }) }). Open it with repertoire inspect audit.jsonl.",
  start: '#task-7f3a?view=skills',
}

function isSame(log: string, file: string): boolean {
  const [one, other] = [log, file].map((path) => statSync(path, { throwIfNoEntry: false }))
  return other !== undefined && one?.ino === other.ino && one.dev === other.dev
}

function checkLog(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined)
    throw new UsageError(`There is no file ${path}. Check the spelling. docs/audit.md says how a program writes a log.`)
  if (!stats.isFile()) throw new UsageError(`${path} is not a file. Name an audit log.`)
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new UsageError(`${path} cannot be read. Give this user the right to read it.`)
  }
}
