import { isSkillError, type SkillStore } from '@repertoire/core'

/** What a worker knows of its writes: those that were acknowledged, and those that may have happened. */
export interface WorkReport {
  /** Lines of the log, each written once. */
  readonly lines: Outcomes<string>
  /** By the path of a file that no other worker writes: the numbers written into it. */
  readonly files: Readonly<Record<string, Outcomes<number>>>
  /** Stamps of the pair of files that are replaced together. */
  readonly stamps: Outcomes<number>
  readonly created: Outcomes<number>
  readonly deleted: Outcomes<number>
  /** What may never be seen, or answered. */
  readonly faults: readonly string[]
  /** Errors that were told, by their codes. */
  readonly errors: Readonly<Record<string, number>>
}

interface Outcomes<T> {
  readonly done: T[]
  readonly uncertain: T[]
}

/** Options of `work`. */
export interface WorkOptions {
  /** Another one for each worker. */
  readonly worker: number
  /** Asked before each round, with its number. */
  readonly goesOn: (round: number) => boolean
}

/** The codes that say that a write may have happened. */
const UNCERTAIN: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'TIMED_OUT'])
/** Somebody else came before: nothing was written. */
const BEATEN: ReadonlySet<string> = new Set(['STORE_CONFLICT', 'SKILL_NOT_FOUND'])
const FILES = 5
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What is there before the workers begin. */
export async function prepareWork(store: SkillStore): Promise<void> {
  await store.replace('log', new Map([file('SKILL.md', manifest('log', 0)), file('log.md', '')]))
  await store.replace('files', new Map([file('SKILL.md', manifest('files', 0))]))
  await store.replace('pair', pairOf(1))
}

/** Works on four skills that other workers change at the same time, and looks at what they leave. */
export async function work(store: SkillStore, { worker, goesOn }: WorkOptions): Promise<WorkReport> {
  const outcomes = <T>(): Outcomes<T> => ({ done: [], uncertain: [] })
  const files: Record<string, Outcomes<number>> = {}
  const errors: Record<string, number> = {}
  const faults: string[] = []
  const report = { lines: outcomes<string>(), stamps: outcomes<number>(), created: outcomes<number>() }
  const deleted = outcomes<number>()

  /** Runs a write. @returns whether it is settled: done, or nobody knows */
  const attempt = async <T>(to: Outcomes<T>, what: T, write: () => Promise<unknown>): Promise<boolean> => {
    try {
      await write()
      to.done.push(what)
      return true
    } catch (error) {
      const code = codeOf(error)
      if (UNCERTAIN.has(code)) to.uncertain.push(what)
      else if (!BEATEN.has(code)) faults.push(`${code || 'no code'}: ${String(error)}`)
      return !BEATEN.has(code)
    }
  }
  const codeOf = (error: unknown): string => {
    const code = isSkillError(error) ? error.code : ''
    errors[code] = (errors[code] ?? 0) + 1
    return code
  }
  /** Reads: undefined where that failed in a way that is known. */
  const read = async <T>(look: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await look()
    } catch (error) {
      const code = codeOf(error)
      if (!UNCERTAIN.has(code) && !BEATEN.has(code)) faults.push(`${code || 'no code'}: ${String(error)}`)
      return undefined
    }
  }

  const append = async (line: string): Promise<void> => {
    for (let settled = false; !settled;) {
      const seen = await read(async () => {
        const { folder, revision } = await store.get('log')
        return { revision, text: decoder.decode(await folder.read('log.md')) }
      })
      if (seen === undefined) continue
      const { revision: ifRevision, text } = seen
      settled = await attempt(report.lines, line, () =>
        store.saveResource('log', 'log.md', `${text}${line}\n`, { ifRevision }),
      )
    }
  }
  const takeTurns = async (round: number): Promise<void> => {
    const content = encoder.encode(manifest('turn', round))
    const create = (): Promise<unknown> =>
      store.replace('turn', new Map([['SKILL.md', { bytes: content }]]), { ifRevision: null })
    const before = await read(() => store.get('turn'))
    if (before === undefined) await attempt(report.created, round, create)
    else await attempt(deleted, round, () => store.delete('turn', { ifRevision: before.revision }))
  }
  const look = async (): Promise<void> => {
    const survey = await read(async () => (await store.get('pair')).folder.survey?.())
    if (survey === undefined) return
    const stamp = Number(/Stamp (\d+)/.exec(decoder.decode(survey.manifest))?.[1])
    const size = survey.listing.files.find(({ path }) => path === 'a.txt')?.size
    if (size !== stamp) faults.push(`The pair is torn: ${stamp} beside ${size}.`)
  }

  for (let round = 1; goesOn(round); round++) {
    await append(`${worker}-${round}`)
    const path = `${worker}-${round % FILES}.md`
    await attempt((files[path] ??= outcomes()), round, () => store.saveResource('files', path, `${round}`))
    await takeTurns(round)
    const stamp = 1 + ((worker * 1_009 + round * 17) % 5_000)
    await attempt(report.stamps, stamp, () => store.replace('pair', pairOf(stamp)))
    await look()
  }
  return { ...report, deleted, files, faults, errors }
}

function file(path: string, text: string): readonly [string, { readonly bytes: Uint8Array }] {
  return [path, { bytes: encoder.encode(text) }]
}

function manifest(name: string, stamp: number): string {
  return `---\nname: ${name}\ndescription: Stamp ${stamp}.\n---\nDo it.\n`
}

/** Two files that say the same. */
function pairOf(stamp: number): Map<string, { readonly bytes: Uint8Array }> {
  return new Map([file('SKILL.md', manifest('pair', stamp)), file('a.txt', 'a'.repeat(stamp))])
}
