import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { showPart } from './report.ts'
import { judge, type Part, PARTS } from './rows.ts'
import { measurePart } from './run.ts'

const NAMES = Object.keys(PARTS) as readonly Part[]

/**
 * Runs the benchmark and prints its tables, part by part.
 * @param measure measures a part
 * @returns the exit code: 1 with `--check` if an aim is missed or could not be measured
 * @throws {TypeError} an option is wrong
 */
export async function run(
  args: readonly string[],
  print: (text: string) => void,
  measure: typeof measurePart = measurePart,
): Promise<0 | 1> {
  const flag = { type: 'boolean', default: false } as const
  const options = { check: flag, only: { type: 'string' } } as const
  const { check, only = NAMES.join(',') } = parseArgs({ args: [...args], options }).values
  const wanted = only.split(',')
  const unknown = wanted.find((name) => !(NAMES as readonly string[]).includes(name))
  if (unknown !== undefined) throw new TypeError(`There is no part "${unknown}". Known are: ${NAMES.join(', ')}.`)

  const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  const [before = 0] = loadavg()
  let missed = 0
  for (const part of NAMES.filter((name) => wanted.includes(name))) {
    const measured = await measure(part, folder)
    const verdicts = judge(part, measured)
    missed += verdicts.filter(({ isMet }) => !isMet).length
    print(showPart(part, measured, verdicts))
  }
  process.off('exit', remove)
  remove()
  const load = Math.max(before, loadavg()[0] ?? 0)
  const machine = `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()})`
  print(`\nMeasured: the built packages, ${machine}, load ${load.toFixed(1)}.\n`)
  if (load > availableParallelism()) print('The machine was busy. Run this again when it is quiet.\n')
  print(missed === 0 ? 'Every aim is met.\n' : `Aims that are missed: ${missed}.\n`)
  return check && missed > 0 ? 1 : 0
}
