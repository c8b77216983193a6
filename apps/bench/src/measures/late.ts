import { median } from '../statistics.ts'
import { type ChildOptions, runChild } from '../run-child.ts'

/** The modules that our first scan imports, and how long that takes. */
export interface LateImports {
  /** Packages, and this project's own lazily imported files as `core`. */
  readonly packages: readonly string[]
  readonly modules: number
  /** Milliseconds of the first scan, without and with those modules imported before. Medians. */
  readonly first: number
  readonly preloaded: number
}

/** Times the first scan of fresh processes with and without its late imports, in turns. */
export async function measureLateImports(
  root: string,
  { rounds, ...options }: ChildOptions & { readonly rounds: number },
): Promise<LateImports> {
  const contestant = 'repertoire'
  const { urls } = await runChild({ kind: 'lateModules', contestant, root }, options)
  const plain: number[] = []
  const preloaded: number[] = []
  for (let round = 0; round < rounds; round++) {
    plain.push((await runChild({ kind: 'scan', contestant, root, budget: 0 }, options)).first)
    preloaded.push((await runChild({ kind: 'scan', contestant, root, budget: 0, preload: urls }, options)).first)
  }
  const packages = [...new Set(urls.map(packageOf))].toSorted()
  return { packages, modules: urls.length, first: median(plain), preloaded: median(preloaded) }
}

function packageOf(url: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  return name ?? 'core'
}
