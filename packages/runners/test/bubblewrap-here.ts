import { accessSync, constants } from 'node:fs'
import process from 'node:process'

/** Why the tests of bubblewrap cannot run, or undefined. In CI they always run, and fail where it is missing. */
export const absent: string | undefined =
  process.env['CI'] === undefined && !isInstalled() ? 'bubblewrap is not installed' : undefined

function isInstalled(): boolean {
  try {
    accessSync('/usr/bin/bwrap', constants.X_OK)
    return true
  } catch {
    return false
  }
}
