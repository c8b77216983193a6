/**
 * What the demo and the benchmark in this repository share with the command. It is not an entry of the published
 * package.
 */
export { callerFolder } from './caller-folder.ts'
export { ADAPTER_NAMES, DEFAULT_ADAPTERS, loadDrivers } from './commands/adapters.ts'
export type { Context, ExitCode } from './context.ts'
export { keepStdoutClean } from './output/clean-stdout.ts'
export { toJson } from './output/json.ts'
export { createOutput, type Output, type Paint, type Stream } from './output/output.ts'
export { reportFile, saveReport } from './output/report-file.ts'
export { count, padTo, shorten, visible, visibleLine, widthOf, wrap } from './output/text.ts'
export { UsageError } from './usage-error.ts'
