import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createRandom } from '../generator/random.ts'
import { type Host, openHosts, type RunnerName } from './hosts.ts'
import { type Sample, type Soaked, takeSample } from './sample.ts'
import { writeSoakSkills } from './skills.ts'
import { type TaskName, TASKS, TURNS } from './tasks.ts'

/** Tasks that run side by side. */
const AT_ONCE = 4
const SAMPLES = 12
/** The runner of processes keeps one that removes its folder when the host is killed. */
const WATCHERS = 1
const WARM_UP_ROUNDS = 2
/** What threads with WebAssembly leave to the allocator grows over their first dozen or two, and no further. */
const WARM_UP_THREADS = { python: 12, javascript: 8 }

export interface SoakOptions {
  /** How long tasks are mixed, behind the warm-up. */
  readonly seconds: number
  readonly seed: number
  readonly onSample?: (sample: Sample) => void
  /** Default: all. */
  readonly tasks?: readonly TaskName[]
  /** Default: all that work here. */
  readonly runners?: readonly RunnerName[]
}

/**
 * Mixes what a host does with skills in one process, and tells what the process holds meanwhile.
 * @throws {Error} where a task did what it must not, or does not end
 */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-soak-'))
  try {
    // So that what is left there can be counted.
    process.env['TMPDIR'] = join(folder, 'tmp')
    for (const name of ['tmp', 'skills']) mkdirSync(join(folder, name))
    writeSoakSkills(join(folder, 'skills'))
    return await soakIn(join(folder, 'skills'), options)
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soakIn(
  root: string,
  { seconds, seed, onSample, tasks = Object.keys(TASKS) as TaskName[], runners }: SoakOptions,
): Promise<Soaked> {
  const random = createRandom(seed)
  const before = await takeSample(0, 0)
  const { hosts, absent } = await openHosts(root, runners)
  const ends: Record<string, number> = {}
  let done = 0
  const run = async (name: TaskName, host: Host): Promise<void> => {
    const end = `${name}: ${await TASKS[name]({ host, root, random: () => random.next() })}`
    ends[end] = (ends[end] ?? 0) + 1
    done++
  }
  // Whatever is imported, compiled or remembered once has been by then.
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const name of tasks) await Promise.all(hosts.map((host) => run(name, host)))
  }
  for (const name of ['python', 'javascript'] as const) {
    const virtual = hosts.find((host) => host.name === 'virtual')
    if (virtual === undefined || !tasks.includes(name)) continue
    for (let count = 0; count < WARM_UP_THREADS[name]; count += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => run(name, virtual)))
  }
  const samples: Sample[] = []
  const sample = async (at: number): Promise<void> => {
    const taken = await takeSample(at, done, samples[0]?.children ?? WATCHERS)
    samples.push(taken)
    onSample?.(taken)
  }
  await sample(0)
  const startedAt = performance.now()
  const elapsed = (): number => (performance.now() - startedAt) / 1_000
  const turns = Object.fromEntries(tasks.map((name) => [name, TURNS[name]])) as Readonly<Record<TaskName, number>>
  for (let next = 1; next <= SAMPLES;) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => run(random.weighted(turns), random.pick(hosts))))
    if (elapsed() < (next * seconds) / SAMPLES) continue
    await sample(elapsed())
    // A batch may take longer than the time between two samples.
    next = Math.max(next + 1, Math.floor((elapsed() * SAMPLES) / seconds) + 1)
  }
  for (const host of hosts) await host.close()
  return { before, samples, closed: await takeSample(elapsed(), done), ends, absent }
}
