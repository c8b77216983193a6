/** What reads command lines, with `unbash` and the tables of programs. `loadCommands` imports it. */
export { commandPatternProblem, compareCommand, isCommandWithin } from './allow/command.ts'
export { riskOf } from './allow/risk.ts'
export { denyCommand } from './deny/command.ts'
export { protectedBy } from './protect/protected-file.ts'
export { readCommandLine } from './shell/command-line.ts'
export { parseScript, PLAIN_COMMAND } from './shell/simple-command.ts'
