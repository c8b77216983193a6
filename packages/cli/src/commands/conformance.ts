import { type Command, Option } from 'commander'
import type { Context, Finish } from '../context.ts'
import { ADAPTER_NAMES } from './adapters.ts'
import { type ConformanceOptions, FORMATS } from './conformance-options.ts'
import { jsonOption } from './options.ts'

const HELP = `
Every check plays a model over HTTP on this machine, and looks at what the adapter sends to it and which tools really
run. No network and no key is needed. An adapter must be installed beside this command, with its framework.

With --driver your own adapter is judged: FILE is a module, and every export of it that is a driver { name, variants,
capabilities, start }, or an array of drivers, is one more column, whatever the export is called. Then only the adapters
that --adapter names are judged beside it. The module is run when it is imported: name only what you trust.

A check ends as pass, fail, known (it fails, and the adapter's driver says so and why) or n/a (it needs what the
adapter's driver declares absent).

The JSON value is { adapters, results }. A result has adapter, id, level ("MUST" or "SHOULD"), title, status ("pass",
"fail", "known" or "n/a") and, unless it passed, reason.

Exit code: 0 if nothing failed (known and n/a are not failures); 1 if something did; 2 for a wrong command, an adapter
that is not installed, or a driver that cannot be loaded.

Examples:
  $ repertoire conformance
  $ repertoire conformance --adapter ai-sdk --adapter langchain
  $ repertoire conformance --driver test/my-driver.js
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
