import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { type Summary, summarise } from '../statistics.ts'

/** An entry point of a package of this workspace, as it is published. */
export interface EntryPoint {
  /** As it is imported. */
  readonly name: string
  /** The package's folder, from which it is imported. */
  readonly folder: string
}

/** The cost of importing one entry. */
export interface ImportCost {
  readonly name: string
  /** Milliseconds of the whole process. */
  readonly whole?: Summary
  /** Milliseconds more than a process that imports nothing, by the medians. */
  readonly overBare?: number
  /** The same where Node has kept the compiled code of an earlier process. Absent: it is not measured of this one. */
  readonly cachedOverBare?: number
  readonly absent?: string
}

const CORE = '@repertoire/core'

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, { readonly default?: string } | string>> }
}

/** Every entry point that the packages below a folder publish. */
export function publishedEntries(packages: string): readonly EntryPoint[] {
  return readdirSync(packages)
    .toSorted()
    .flatMap((name) => {
      const folder = join(packages, name)
      const { name: packageName, private: hidden, publishConfig } = readPackage(folder)
      if (hidden === true) return []
      // A target that is a plain path is data, as package.json is: nobody imports it as code.
      const paths = Object.entries(publishConfig?.exports ?? {}).filter(([, target]) => typeof target !== 'string')
      return paths.map(([path]) => ({ name: packageName + path.slice(1), folder }))
    })
}

/** How entries are imported. */
export interface ImportOptions {
  readonly rounds: number
  readonly source: boolean
  /** A folder of this run, in which Node keeps compiled code. */
  readonly folder: string
  readonly progress: (text: string) => void
}

/** Imports each in separate processes, alternating with a bare start of Node. */
export async function measureImports(
  entries: readonly EntryPoint[],
  { rounds, source, folder: temporary, progress }: ImportOptions,
): Promise<{ readonly bare: Summary; readonly entries: readonly ImportCost[] }> {
  const bare: number[] = []
  const samples = new Map<string, number[]>()
  const cached = new Map<string, number[]>()
  const failures = new Map<string, string>()
  const flags = source ? ['--conditions=@repertoire/source', '--disable-warning=ExperimentalWarning'] : []
  for (let round = 0; round < rounds; round++) {
    progress(`imports: round ${round + 1} of ${rounds}`)
    bare.push((await runModule('', process.cwd(), flags)).taken)
    for (const { name, folder } of entries) {
      // The adapters load whole frameworks, which is slow and not our code: a third of the rounds is enough for them.
      if (failures.has(name) || (round % 3 > 0 && !name.startsWith(CORE))) continue
      const { taken, failure } = await runModule(`import ${JSON.stringify(name)}`, folder, flags)
      if (failure === undefined) samples.set(name, [...(samples.get(name) ?? []), taken])
      else failures.set(name, failure)
      if (failure !== undefined || !name.startsWith(CORE)) continue
      const again = () => runModule(`import ${JSON.stringify(name)}`, folder, flags, join(temporary, 'compiled'))
      // The first of them fills the cache.
      if (round === 0) await again()
      cached.set(name, [...(cached.get(name) ?? []), (await again()).taken])
    }
  }
  const start = summarise(bare)
  return {
    bare: start,
    entries: entries.map(({ name }) => {
      const absent = failures.get(name)
      if (absent !== undefined) return { name, absent }
      const whole = summarise(samples.get(name) ?? [])
      const times = cached.get(name)
      return {
        name,
        whole,
        overBare: whole.median - start.median,
        ...(times !== undefined && { cachedOverBare: summarise(times).median - start.median }),
      }
    }),
  }
}

async function runModule(
  code: string,
  cwd: string,
  flags: readonly string[],
  compileCache?: string,
): Promise<{ readonly taken: number; readonly failure?: string }> {
  const start = performance.now()
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', `${code}\nprocess.exit(0)`], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: compileCache },
  })
  const errors = text(child.stderr)
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  const taken = performance.now() - start
  if (exitCode === 0) return { taken }
  const line = (await errors).split('\n').find((each) => /Error\b/.test(each))
  return { taken, failure: line?.trim() ?? `ended with exit code ${exitCode}` }
}

function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
}
