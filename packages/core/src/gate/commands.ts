/**
 * All that reads the commands of shells. It is large, and many programs have no need of it: so it is imported with
 * `await import`, or by what is itself imported so.
 */
export { denyCommand } from './deny/command.ts'
export { compareCommand } from './shell/compare.ts'
export { wordsExpanded } from './shell/expanded.ts'
export { pathsMutatedByCommand } from './shell/mutated-by-command.ts'
