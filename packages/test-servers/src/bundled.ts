import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '../../..')

/**
 * Returns the bundle of a program, which loads in half of the time, made of the sources as they were when the tests
 * began. Returns the program itself where the tests run without `scripts/bundled-programs.ts`, as for mutants.
 */
export function bundled(program: string): string {
  const { BUNDLED_PROGRAMS: folder } = process.env
  if (folder === undefined) return program
  const bundle = join(folder, relative(root, program).replace(/\.ts$/, '.js'))
  if (existsSync(bundle)) return bundle
  throw new Error(`There is no bundle of ${program}. Name it in PROGRAMS of scripts/bundled-programs.ts.`)
}
