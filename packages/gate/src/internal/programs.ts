/** What knows programs, apart from the other entry: the tables take as long to import as everything else of the gate. */
export { readOptions } from '../allow/harmless/options.ts'
export type { HarmlessProgram, Use } from '../allow/harmless/program.ts'
export { HARMLESS_PROGRAMS } from '../allow/harmless/programs.ts'
export { type ScriptUse, commandsIn, scriptUse } from '../script/use.ts'
export { findProgram, programName, runsShell } from '../shell/programs/programs.ts'
export { innerCommands } from '../shell/unwrap.ts'
