/**
 * All that reads command lines of shells, `unbash` and the table of programs included. It is large, and many programs
 * never judge a command: so only `judge` imports it, with the first command that is judged.
 */
export { commandPatternProblem, compareCommand } from './allow/command.ts'
export { isCommandWithin } from './allow/command-within.ts'
export { denyCommand } from './deny/command.ts'
export { riskOf } from './allow/risk.ts'
export { readCommandLine } from './shell/command-line.ts'
export { PLAIN_COMMAND } from './shell/simple-command.ts'
