import type { UnservedSkill } from '@repertoire/library/mcp'
import { type Command, Option } from 'commander'
import type { Context, ExitCode, Finish, Input } from '../context.ts'
import { printFindings } from '../output/diagnostics.ts'
import { paragraphs, visibleLine } from '../output/text.ts'
import { writableTo } from '../output/writable.ts'
import { UsageError } from '../usage-error.ts'
import { packageVersion } from '../version.ts'
import { ended } from './ended.ts'
import { readPort } from './options.ts'
import { isInstalled, missingText } from './optional-packages.ts'
import { addSourceOptions, openSkills, type SourceOptions } from './skill-sources.ts'
import { addScopeOptions, type ScopeOptions, viewerOf } from './viewer.ts'

interface ServeOptions extends SourceOptions, ScopeOptions {
  /** True: any port that is free. */
  readonly http?: true | number
}

const HELP = `
A ROOT is a folder of skills. Without one, the configured folders are served.
Without --http, it serves one client over stdin and stdout, which is how clients start a server:
  { "mcpServers": { "skills": { "command": "repertoire", "args": ["serve"] } } }
Stderr names skills that the protocol (SEP-2640) cannot carry, such as those with more than 512 files or 16 MiB.

Exit code: 0 when it was ended; 2 for a wrong command, a port that is taken, or a ROOT that cannot be searched.

Examples:
  $ repertoire serve
  $ repertoire serve path/to/skills --http 7007`

/** Adds `repertoire serve`. */
export function addServe(program: Command, context: Context, finish: Finish): void {
  const command = program
    .command('serve')
    .summary('serve skills to clients of MCP')
    .description('Serve skills to other programs, as Skills over MCP.')
    .addOption(
      new Option('--http [port]', 'serve programs of this machine by HTTP (default: any free port)').argParser(
        readPort,
      ),
    )
  addScopeOptions(addSourceOptions(command))
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (roots: string[], options: ServeOptions) => finish(await serve(roots, options, context)))
}

async function serve(given: readonly string[], options: ServeOptions, context: Context): Promise<ExitCode> {
  if (!isInstalled('@modelcontextprotocol/server')) throw new UsageError(missingText('@modelcontextprotocol/server'))
  const { stderr } = context
  const opened = await openSkills(given, options, context, { watch: true })
  const { repertoire, findings, isRootLost } = opened
  try {
    await printFindings(findings, context, 'before')
    if (isRootLost) return 2
    const onUnserved = ({ name, message }: UnservedSkill): void => {
      void stderr.write(`${visibleLine(`${name} is not served. ${message}`)}\n`)
    }
    const served = { repertoire, viewer: viewerOf(options), onUnserved, version: packageVersion() }
    await (options.http === undefined
      ? serveStandardStreams(served, context)
      : serveByHttp({ ...served, port: options.http === true ? 0 : options.http }, context))
    return 0
  } finally {
    await repertoire.close()
  }
}

type Served = Parameters<typeof import('@repertoire/library/mcp').serveSkillsOverStdio>[0]

async function serveStandardStreams(served: Served, { stdout, stderr, input, stopped }: Context): Promise<void> {
  const stdin = input?.()
  if (stdin === undefined || stdin.isTTY === true) {
    throw new UsageError(
      'A client of MCP starts this command and speaks to it. "repertoire serve --help" shows how. To serve by HTTP, give --http.',
    )
  }
  const { serveSkillsOverStdio } = await import('@repertoire/library/mcp')
  const stop = ended(stopped)
  const closed = Promise.withResolvers<void>()
  const output = writableTo(stdout, ({ message }) => void stderr.write(`${message}\n`))
  const streams = { input: stdin satisfies Input, output }
  const server = await serveSkillsOverStdio({ ...served, ...streams, onClose: closed.resolve })
  await Promise.race([stop, closed.promise])
  await server.close()
}

async function serveByHttp(served: Served & { readonly port: number }, { stdout, stopped }: Context): Promise<void> {
  const { serveSkillsOverHttp } = await import('@repertoire/library/mcp')
  const stop = ended(stopped)
  const server = await serveSkillsOverHttp(served)
  await stdout.write(`Skills are served at ${server.url}\nEnd with Ctrl+C.\n`)
  await stop
  await server.close()
}
