import process from 'node:process'

/**
 * How many examples a property of many has: all of them in CI, and a quarter where people wait for the tests. The examples
 * are the same in every run unless `PROPERTY_SEED` says otherwise, so repeating all of them finds nothing new.
 */
export function runs(most: number): number {
  return process.env['CI'] === undefined ? Math.ceil(most / 4) : most
}
