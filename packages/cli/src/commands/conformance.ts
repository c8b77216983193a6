import { type Command, Option } from 'commander'
import type { Context, Finish } from '../context.ts'
import { paragraphs } from '../output/text.ts'
import { ADAPTER_NAMES } from './adapters.ts'
import type { ConformanceOptions, Format } from './check-adapters.ts'
import { jsonOption } from './options.ts'

const FORMATS = ['markdown', 'junit'] as const satisfies readonly Format[]

const HELP = `
Each check plays a model over HTTP on this machine. It needs no network and no key. A module exports a driver for your
adapter (docs/adapters.md) or your own loader of skills (docs/testing-your-loader.md). Importing it runs it, so name only
files that you trust.

Exit code: 0 if no check failed ("known" and "n/a" pass); 1 if one did; 2 for a wrong command or a missing adapter.

Examples:
  $ repertoire conformance --driver test/my-driver.js --check gate-rules
  $ repertoire conformance --host test/my-host.js
  $ repertoire conformance --format junit --output conformance.xml`

/** Adds `repertoire conformance`. */
export function addConformance(program: Command, context: Context, finish: Finish): void {
  program
    .command('conformance')
    .summary('test adapters with the conformance suite')
    .description('Test adapters with the conformance suite, and show a table of adapters and checks.')
    .addOption(
      new Option(
        '--adapter <name...>',
        'test this adapter; repeatable (default: all but claude-agent, or none with --driver)',
      ).choices(ADAPTER_NAMES),
    )
    .option('--driver <file...>', 'test the drivers that this module exports; repeatable')
    .addOption(
      new Option('--host <file...>', 'test systems that load skills by themselves; repeatable').conflicts([
        'adapter',
        'driver',
      ]),
    )
    .option('--check <id...>', 'run this check; repeatable (default: all)')
    .option('--list', 'list the checks and variants, and run nothing')
    .addOption(new Option('--format <name>', 'write the report for other programs').choices(FORMATS))
    .addOption(jsonOption().conflicts('format'))
    .option('--output <file>', 'write the report to a file in this format, and print it as text')
    .addHelpText('after', paragraphs(HELP, context.stdout))
    .action(async (options: ConformanceOptions) => {
      // Loaded for this command only, since the suite is slow to load.
      const { checkAdapters } = await import('./check-adapters.ts')
      finish(await checkAdapters(options, context))
    })
}
