import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const FOLDER = join(import.meta.dirname, '../../../apps/claude-code/node_modules/@anthropic-ai')

/** Returns the program that `npm run claude-code` has installed; undefined if it has not. */
export function findClaudeCode(): string | undefined {
  const [found] = existsSync(FOLDER) ? globSync('claude-agent-sdk-*/claude{,.exe}', { cwd: FOLDER }) : []
  return found && join(FOLDER, found)
}

/**
 * Says whether Claude Code is installed, which `npm run claude-code` does, and has the driver of
 * `@repertoire/claude-agent` start that one. Put `(needs Claude Code)` in the titles of tests that start it.
 *
 * @returns true if it is missing. Always false if `CI` is set, so that the tests fail there
 */
export function lacksClaudeCode(): boolean {
  const found = findClaudeCode()
  if (found !== undefined) process.env['CLAUDE_CODE_EXECUTABLE'] ??= found
  return process.env['CI'] === undefined && process.env['CLAUDE_CODE_EXECUTABLE'] === undefined
}
