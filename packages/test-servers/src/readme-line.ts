import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'

/**
 * Runs the line that the repository's README shows for a package, exactly as it stands there.
 *
 * @param folder the package's folder in the table, such as `packages/ai-sdk`
 * @param names what the line refers to
 * @returns the value of the line
 */
export function runReadmeLine(folder: string, names: Readonly<Record<string, unknown>>): unknown {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const row = readme.split('\n').find((line) => line.startsWith('|') && line.includes(`](${folder})`))
  const line = row?.split('|')[3]?.trim()
  if (line === undefined || !/^`.*`$/.test(line)) throw new Error(`The README shows no line of code for ${folder}.`)
  return compileFunction(`return (${line.slice(1, -1)})`, Object.keys(names))(...Object.values(names))
}
