import { type Command, Option } from 'commander'
import type { Context, Finish } from '../context.ts'
import { ADAPTER_NAMES } from './adapters.ts'
import { type ConformanceOptions, FORMATS, PROTOCOLS } from './conformance-options.ts'
import { jsonOption } from './options.ts'

const HELP = `
Every check plays a model over HTTP on this machine, and looks at what the adapter sends to it and which tools really
run. No network and no key is needed. An adapter must be installed beside this command, with its framework.

With --driver your own adapter is judged: FILE is a module, and every export of it that is a driver { name, variants,
capabilities, start }, or an array of drivers, is one more column, whatever the export is called. Then only the adapters
that --adapter names are judged beside it. The module is run when it is imported: name only what you trust.

A variant whose package is not installed, such as a vendor's client, is left out, and the report says so. An adapter of
which no variant is left stops the command before it begins.

A check ends as pass, fail, known (it fails, and the adapter's driver says so and why) or n/a (it needs what the
adapter's driver declares absent).

The JSON value is { adapters, results }. A result has adapter, id, level ("MUST" or "SHOULD"), title, status ("pass",
"fail", "known" or "n/a") and, unless it passed, reason. With variants that were left out there is leftOut too: each has
adapter, variant and reason. With --list it is { adapters, checks }: an adapter has name and variants, a check id, level
and title.

Exit code: 0 if nothing failed (known and n/a are not failures); 1 if something did; 2 for a wrong command, an adapter
that is not installed, or a driver that cannot be loaded.

Examples:
  $ repertoire conformance
  $ repertoire conformance --adapter ai-sdk --adapter langchain
  $ repertoire conformance --driver test/my-driver.js
  $ repertoire conformance --driver test/my-driver.js --protocol openai --check gate-rogue-call
  $ repertoire conformance --list
  $ repertoire conformance --json > conformance.json
  $ repertoire conformance --format junit --output conformance.xml
`

/** Adds `repertoire conformance`. */
export function addConformance(program: Command, context: Context, finish: Finish): void {
  program
    .command('conformance')
    .summary('judge adapters by the conformance suite')
    .description('Judge adapters by the conformance suite, and show adapters × checks.')
    .addOption(
      new Option('--adapter <name...>', 'judge this adapter; repeatable (default: all, or none with --driver)').choices(
        ADAPTER_NAMES,
      ),
    )
    .option('--driver <file...>', 'judge the drivers that this module exports; repeatable')
    .option('--check <id...>', 'run this check; repeatable (default: all)')
    .addOption(
      new Option('--protocol <name...>', 'run only the variants that speak this protocol; repeatable').choices(
        PROTOCOLS,
      ),
    )
    .option('--list', 'list the checks and the variants of the adapters, and run nothing')
    .addOption(new Option('--format <name>', 'how the report is written (default: "terminal")').choices(FORMATS))
    .addOption(jsonOption().conflicts('format'))
    .option('--output <file>', 'write the report to a file; stdout then shows the report for a terminal')
    .addHelpText('after', HELP)
    .action(async (options: ConformanceOptions) => {
      // Loaded for this command only, since the suite is slow to load.
      const { checkAdapters } = await import('./check-adapters.ts')
      finish(await checkAdapters(options, context))
    })
}
